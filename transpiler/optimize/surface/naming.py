"""Speaking names for the temporaries that survive: what they hold, in the words of the names around them.

    exp_x = np.exp(-x)      x_i = x[i]      h_in = x @ w + b, read by h = np.tanh(h_in)      residual = (h - y), squared later

A name that says nothing (`product_3`) makes a reader look up its definition every time.
"""
from __future__ import annotations

import builtins
from dataclasses import replace
from typing import Any

import gast

from transpiler.analyses.memory.effects import is_ufunc
from transpiler.core.indices import entries_of
from transpiler.core.language import LASTING, Core, Hint
from transpiler.core.links import links
from transpiler.core.query import callee, defined, names, parts, primitive, reads
from transpiler.passes import rewrite
from transpiler.values.types import Array

LONG = 14
BY_CONSTANT = {0.5: 'half', 0.25: 'quarter', 2: 'twice', -1: 'minus'}
BY_POWER = {2: 'squared', 3: 'cubed', 0.5: 'root'}
BY_OPERATOR = {gast.Add: 'sum', gast.Sub: 'diff', gast.Mult: 'product', gast.Div: 'ratio', gast.Pow: 'power',
               gast.MatMult: 'product'}
BY_FUNCTION = {'where': 'chosen', 'eye': 'identity', 'ones': 'ones', 'ones_like': 'ones', 'zeros': 'zeros', 'zeros_like': 'zeros',
               'full': 'constant', 'full_like': 'constant', 'absolute': 'abs', 'expand_dims': 'wide', 'broadcast_to': 'wide',
               'reshape': 'reshaped', 'ravel': 'flat', 'transpose': 'turned', 'astype': 'mask', 'copy': 'old', 'mean': 'mean',
               'unbroadcast': 'sum', 'concatenate': 'joined', 'stack': 'stacked', 'amax': 'max', 'amin': 'min', 'len': 'length',
               'maximum': 'larger', 'minimum': 'smaller', 'outer': 'outer', 'arange': 'numbers', 'once': 'ratio',
               'mean_of': 'mean', 'matrix_product': 'product', 'equal_bins': 'bins', 'places_in_order': 'places'}
ALONE = {'chosen', 'identity', 'ones', 'zeros', 'constant', 'mask', 'larger', 'smaller', 'joined', 'stacked', 'outer', 'numbers'}

SAYING = frozenset({*BY_CONSTANT.values(), *BY_POWER.values(), *BY_FUNCTION.values(), 'inverse', 'scaled', 'size', 'sum', 'diff',
                    'product', 'ratio', 'power', 'exp', 'log', 'sin', 'cos', 'tanh', 'sqrt'})


@rewrite('speaking names', surface=True)
def name_temporaries(core: Core) -> Core:
    """Give every temporary a base that tells what it holds. The names of variables stay: this is about their hints.

    >>> from transpiler.core.text import parse
    >>> core = parse('t = np.exp(-x); u = 1.0 + t; y = np.sqrt(u); v = t * u; z = v * y; return z', temporaries='tuv')
    >>> [name_temporaries(core).base(name) for name in 'tuv']
    ['exp_x', 'y_in', 'product']
    """
    return _Namer(core).run()


class _Namer:
    def __init__(self, core: Core):
        self.core, self.hints = core, dict(core.hints)
        self.readers: dict[str, list[gast.stmt]] = {}
        for statement in core.statements:
            for name in reads(statement):
                self.readers.setdefault(name, []).append(statement)

    def run(self) -> Core:
        for statement in self.core.statements:
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=value) if self.core.is_temporary(name):
                    base = self.core.base(name)
                    if not self.is_said(base, statement) and not isinstance(value, gast.Constant):
                        self.hints[name] = Hint(self.by_reader(name, value) or self.by_value(value) or base, True)
        if all(self.hints[name] == self.core.hints[name] for name in self.hints):
            return self.core
        return replace(self.core, hints=self.hints)

    def is_said(self, base: str, statement: gast.Assign) -> bool:
        """The base tells a role already; that of a derivative does beside the primal, for more than an element or a multiple."""
        if not base.endswith(('_bar', '_dot')):
            return base.endswith(LASTING)
        match statement.value:
            case gast.Subscript() | gast.BinOp(left=gast.Constant(), right=gast.Name()):
                return False
        return statement.role != 'primal' and base.removesuffix('_bar').removesuffix('_dot').rstrip('_') not in SAYING

    def base(self, name: str) -> str:
        return self.hints[name].base if name in self.hints else name

    def by_reader(self, name: str, value: gast.expr) -> str | None:
        """The argument of the function that gives `h` is `h_in`; what is squared and came from a difference is a residual."""
        if not isinstance(value, (gast.BinOp, gast.UnaryOp)):
            return None
        uses = [use for statement in self.readers.get(name, ()) for use in self.uses(statement, name)]
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Sub) and any(kind == 'squared' for kind, _ in uses):
            return 'residual'
        for kind, target in uses:
            if kind == 'argument' and target and not self.core.is_temporary(target) and not target.endswith(('_bar', '_dot')):
                return f'{self.base(target)}_in'
        divides = [kind for kind, _ in uses if kind == 'divisor']
        return 'denominator' if divides and isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)) else None

    def uses(self, statement: gast.stmt, name: str):
        """(how, where to) for every operation of the statement on `name`."""
        value, target = getattr(statement, 'value', None), defined(statement)
        for node in parts(value) if isinstance(value, gast.AST) else ():
            match node:
                case gast.Call(func=gast.Name(id=function), args=[*_, gast.Name(id=read)]) if read == name and node is value:
                    yield ('argument', target) if is_ufunc(function) else ('other', None)
                case gast.BinOp(left=gast.Name(id=read), op=gast.Pow(), right=gast.Constant(value=2)) if read == name:
                    yield 'squared', target
                case gast.BinOp(left=gast.Name(id=read), op=gast.Mult(), right=gast.Name(id=other)) if read == other == name:
                    yield 'squared', target
                case gast.BinOp(op=gast.Div(), right=gast.Name(id=read)) if read == name:
                    yield 'divisor', target

    def by_value(self, value: gast.expr) -> str | None:
        match value:
            case gast.BinOp(left=left, op=op, right=right):
                return self.of_operator(left, op, right)
            case gast.UnaryOp(op=gast.USub(), operand=gast.Name(id=name)):
                return self.joined('minus', self.base(name))
            case gast.Compare():
                return 'mask' if any(isinstance(self.core.types.get(n), Array) for n in names(value)) else 'condition'
            case gast.Subscript(value=gast.Attribute(value=gast.Name(id=name), attr='shape'), slice=gast.Constant(value=axis)):
                return self.of_size(name, axis)
            case gast.Attribute(value=gast.Name(id=name), attr='size'):
                return self.joined('size', self.base(name))
            case gast.Subscript(value=gast.Name(id=name)) if isinstance(self.core.types.get(name), tuple):
                return None
            case gast.Subscript(value=gast.Name(id=name), slice=index):
                return self.of_element(self.base(name), index)
            case gast.Call() if callee(value) is not None:
                return None
            case gast.Call() if (function := primitive(value)) is not None:
                return self.of_function(function.rpartition('.')[2], value)
            case gast.IfExp():
                return 'chosen'
        return None

    def of_operator(self, left: gast.expr, op: gast.operator, right: gast.expr) -> str | None:
        match left, op, right:
            case gast.Constant(value=number), gast.Mult(), gast.Name(id=name) if number in BY_CONSTANT:
                return self.joined(BY_CONSTANT[number], self.base(name))
            case gast.Constant(value=1), gast.Div(), gast.Name(id=name):
                return self.joined('inverse', self.base(name))
            case gast.Constant(value=1), gast.Div(), _:
                return 'inverse'
            case gast.Name(id=name), gast.Pow(), gast.Constant(value=number) if number in BY_POWER:
                return self.joined(self.base(name), BY_POWER[number])
            case gast.Name(id=a), (gast.Mult() | gast.MatMult()), gast.Name(id=b):
                first, second = self.base(a), self.base(b)
                if a == b:
                    return self.joined(first, 'squared')
                return first + second if len(first) == len(second) == 1 else 'product'
            case gast.Constant(), gast.Mult(), gast.Name(id=name):
                return self.joined('scaled', self.base(name))
        return self.about(BY_OPERATOR.get(type(op), 'value'), gast.BinOp(left=left, op=op, right=right))

    def of_size(self, name: str, axis: Any) -> str:
        """The letter that the header gives a size, if one letter is all that it is."""
        dims = getattr(self.core.types.get(name), 'dims', None)
        letter = str(dims[axis]) if dims and isinstance(axis, int) and dims[axis] is not None else ''
        return letter if letter.isidentifier() else self.joined('size', self.base(name))

    def of_element(self, base: str, index: gast.expr) -> str:
        """`x_i` for `x[i]`, `a_ij` for `a[i, j]`, `x_part` for a slice."""
        parts = entries_of(index)
        if all(isinstance(p, gast.Name) and len(self.base(p.id)) == 1 and self.base(p.id) != '_' for p in parts):
            return f'{base}_' + ''.join(self.base(p.id) for p in parts)
        whole = any(isinstance(p, gast.Slice) or isinstance(p, gast.Constant) and p.value in (None, ...) for p in parts)
        return f'{base}_part' if whole else f'{base}_item'

    def of_function(self, function: str, value: gast.Call) -> str:
        word = 'number' if function == 'astype' and links(value).of_numbers else BY_FUNCTION.get(function, function)
        return word if word in ALONE else self.about(word, value)

    def about(self, word: str, value: gast.expr) -> str:
        """The word with the one name that the expression is about; with several names, the word says all."""
        used = list(dict.fromkeys(self.base(name) for name in names(value)))
        if len(used) == 1:
            return self.joined(word, used[0])
        return _shown(word)

    def joined(self, *words: str) -> str:
        together = '_'.join(words)
        return together if len(together) <= LONG and together.count('_') <= 2 else _short(words)


def _short(words: tuple[str, ...]) -> str:
    return _shown(next((word for word in words if word in SAYING), 'value'))


def _shown(word: str) -> str:
    """A word that hides no builtin."""
    return f'{word}_' if word in dir(builtins) else word
