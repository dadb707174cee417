"""Operations on all examples at once: ranks aligned, axes shifted, contractions made larger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gast
import numpy as np

from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.memory_order import by_order
from transpiler.core import build
from transpiler.core.build import new_array, static_expression
from transpiler.core.language import Core
from transpiler.core.query import callee, names, primitive
from transpiler.rules.base.registry import RULES, Rule, batching_of
from transpiler.transforms.batch.custom_rules import BatchedRules
from transpiler.transforms.batch.dataflow import Flow, data_reads
from transpiler.transforms.batch.flags import counted
from transpiler.transforms.batch.indexing import Indexes
from transpiler.transforms.batch.operands import Cannot, Operands
from transpiler.values.types import Array, Scalar, Tape

CASTS = {'python.float': np.float64, 'python.int': np.int64, 'python.bool': np.bool_}
SHOWN_OR_COPIED = frozenset(f'numpy.{name}' for name in ('squeeze', 'asarray', 'ascontiguousarray'))
FILLED = frozenset(f'numpy.{name}' for name in ('zeros', 'ones', 'empty', 'full'))
ARRAYS = ('numpy.array', 'numpy.asarray')
FILLS = ('numpy.full', 'numpy.full_like')   # which cast floats, whatever their dtype holds
LIKE = frozenset(f'numpy.{name}' for name in ('zeros_like', 'ones_like', 'empty_like'))
# On Python numbers these raise, or give numbers of another kind, where arrays do not.
PARTIAL = (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow)


class Lift:
    """`value(name, node)` is the expression for all examples; it raises Cannot where there is none."""

    def __init__(self, core: Core, flow: Flow, count: gast.expr, rules: BatchedRules):
        self.core, self.flow, self.count, self.rules = core, flow, count, rules
        self.operands = Operands(core, flow, count)
        self.indexes = Indexes(self.operands)
        self.copied = frozenset[str]()

    def value(self, name: str, node: gast.expr) -> gast.expr:
        """What `name = node` becomes."""
        if name not in self.flow.names:
            return self.shapes(node)
        if not data_reads(node) & self.flow.names:
            return self.spread(name, node)
        if getattr(self.core.types.get(name), 'ndim', 0) is None:
            raise Cannot
        made = self.operation(node, getattr(self.core.types.get(name), 'dtype', None))
        if is_fresh(node):
            return made
        shown = name in self.copied or self._is_array_of_numbers(name, node) and self.operands.is_written(build.name(name))
        return build.call('numpy.copy', made) if shown and not is_fresh(made) else made

    def _is_array_of_numbers(self, name: str, node: gast.expr) -> bool:
        """Whether it is an array made of numbers: for all examples at once it may show the array that holds these."""
        numbers = all(isinstance(self.core.types.get(n), Scalar) for n in data_reads(node))
        return numbers and isinstance(self.core.types.get(name), Array)

    def operation(self, node: gast.expr, dtype: np.dtype | None) -> gast.expr:
        """`node`, which gives something of that dtype, for all examples."""
        match node:
            case gast.Name():
                return node
            case gast.BinOp(left=left, op=operator, right=right):
                if isinstance(operator, PARTIAL) and all(map(self.operands.is_python_number, (left, right))):
                    raise Cannot
                if isinstance(operator, gast.MatMult):
                    return self.call(build.call('numpy.matmul', left, right), dtype)
                left, right = counted(self.operands, dtype, self.aligned([left, right], node), (left, right), operator)
                return build.like(node, left=left, right=right)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                return build.call('numpy.logical_not', operand)
            case gast.UnaryOp(operand=operand):
                return build.like(node, operand=counted(self.operands, dtype, [operand], [operand])[0])
            case gast.Compare(left=left, comparators=[right]):
                left, right = self.aligned([left, right], node)
                return build.like(node, left=left, comparators=[right])
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return build.call('numpy.where', test, *self.aligned([body, orelse], node))
            case gast.Subscript(value=gast.Name(), slice=index):
                return self.indexes.read(node.value.id, index)
            case gast.Call():
                return self.call(node, dtype)
        raise Cannot

    def call(self, node: gast.Call, dtype: np.dtype | None) -> gast.expr:
        name = str(primitive(node))
        if name in CASTS:
            own = self.operands.dtype(node.args[0])
            if self.operands.rank(node.args[0]) or name == 'python.int' and (own.kind == 'f' or own == np.uint64):
                raise Cannot    # of one example after the other: arrays have one item, Python's integers all that they stand for
            return build.call('numpy.astype', *node.args, static_expression(CASTS[name]))
        if name in ('tape.pop', 'tape.item') and not any(data_reads(a) & self.flow.names for a in node.args[1:]):
            return node
        if self.rules.knows(callee(node)):
            return self.rules.call(node, str(callee(node)), tuple(map(self.operands.is_batched, node.args)))
        if name not in RULES or callee(node) is not None:
            raise Cannot
        rule = RULES[name]
        operands, statics = rule.bind(node.args, {k.arg: k.value for k in node.keywords})
        if any(data_reads(value) & self.flow.names for value in statics.values()):
            raise Cannot
        if (by_order(node) or name in SHOWN_OR_COPIED) and self.operands.is_written(operands[0]):
            raise Cannot
        statics = {key: self.shapes(value) for key, value in statics.items()}
        batching = batching_of(rule)
        if batching is None:
            raise Cannot
        if name == 'numpy.astype' and (number := self.operands.held(operands[0], dtype, False)) is not operands[0]:
            return number
        if batching.template is None:
            args, keywords = rule.arrange(counted(self.operands, dtype, self.aligned(operands, node, rule), operands), statics)
            return build.like(node, args=args, keywords=[gast.keyword(arg=k, value=v) for k, v in keywords.items()])
        if None in [self.operands.rank(a) for a in _atoms(operands)]:
            raise Cannot
        which = tuple(map(self.operands.is_batched, operands))
        if batching.only is not None and not batching.only(which):
            raise Cannot
        given = operands if batching.mixed else [self.all_batched(operand) for operand in operands]
        if name in ARRAYS and dtype is not None:
            given = [self._as_items(operand, dtype) for operand in operands]
        if name in FILLS and dtype is not None and self.operands.dtype(operands[-1]).kind in 'iu':
            given[-1] = self.operands.held(operands[-1], dtype, False)
        flags = [build.expression(which)] if batching.mixed else []
        return gast.Call(
            func=build.constant(batching.template),
            args=[build.constant(rule.primitive), *flags, *given],
            keywords=[gast.keyword(arg=k, value=v) for k, v in statics.items()],
        )

    def _as_items(self, operand: gast.expr, dtype: np.dtype, alone: bool = False) -> gast.expr:
        """What an array of that dtype is made of, for every example."""
        if isinstance(operand, (gast.Tuple, gast.List)):
            return build.like(operand, elts=[self._as_items(part, dtype, True) for part in operand.elts])
        made = self.all_batched(operand)
        asks = self.operands.asks(operand, dtype, alone)
        return build.call('kernels.as_items', made, static_expression(dtype)) if asks else made

    # operands that fit each other

    def aligned(self, operands: Sequence[gast.expr], node: gast.expr, rule: Rule | None = None) -> list[gast.expr]:
        """Operands of an operation that works element by element: axes behind that of the examples, Python numbers cast."""
        ranks = [self.operands.rank(atom) for atom in operands]
        if None in ranks:
            raise Cannot
        top = max(ranks, default=0)
        cast = self._cast(operands, node, rule)
        return [self.operands.to_rank(cast(atom), atom, top) for atom in operands]

    def _cast(self, operands: Sequence[gast.expr], node: gast.expr, rule: Rule | None) -> Callable[[gast.expr], gast.expr]:
        """Python numbers take the dtype of what they meet (NEP 50); batched, they are arrays, which do not."""
        kinds = [self.core.types.get(a.id) if isinstance(a, gast.Name) else None for a in operands]
        strong = [t.dtype for t in kinds if isinstance(t, Array) or isinstance(t, Scalar) and not t.weak]
        of_one_kind = rule is None or any(t[:2] in ('dd', 'll') for t in getattr(rule.primitive, 'types', ('dd',)))
        exact = isinstance(node, gast.Compare) and all(dtype.kind in 'iub' for dtype in strong)
        if exact or not of_one_kind:
            return lambda atom: atom
        if rule is not None and rule.name == 'numpy.where':
            strong = [t.dtype for t in kinds[1:] if isinstance(t, Array) or isinstance(t, Scalar) and not t.weak]

        def cast(atom: gast.expr) -> gast.expr:
            type_ = self.core.types.get(atom.id) if isinstance(atom, gast.Name) else None
            if not strong or not self.operands.is_batched(atom) or not isinstance(type_, Scalar) or not type_.weak:
                return atom
            dtype = np.result_type(*strong, type_.dtype.type(0).item())
            number = atom if rule is not None and rule.name == 'numpy.where' else self.operands.held(atom, dtype, False)
            same = number is not atom or dtype == type_.dtype
            return number if same else build.call('numpy.astype', atom, static_expression(dtype))

        return cast

    def all_batched(self, operand: gast.expr) -> gast.expr:
        """An operand, or a sequence of them, with the axis of examples in front."""
        match operand:
            case gast.Tuple(elts=parts) | gast.List(elts=parts):
                return build.like(operand, elts=[self.all_batched(part) for part in parts])
            case gast.Name() if self.operands.is_batched(operand):
                return operand
        return self.operands.repeated(operand)

    def spread(self, name: str, node: gast.expr) -> gast.expr:
        """A value that all examples share, where `name` differs from example to example elsewhere, or is written into."""
        type_ = self.core.types.get(name)
        if isinstance(type_, Tape):
            return node
        if isinstance(type_, tuple) or type_ is None or type_.ndim is None:
            raise Cannot
        match node:
            case gast.Name() | gast.Constant():
                return self.operands.repeated(node, type_.dtype)
            case gast.Call(func=gast.Name(id=function), args=[shape, *others], keywords=keywords) if function in FILLED:
                if function != 'numpy.full' or self.operands.rank(others[0]) == 0:
                    return build.like(node, args=[self.longer(self.shapes(shape)), *others], keywords=keywords)
            case gast.Call(func=gast.Name(id=function), args=[like], keywords=keywords) if function in LIKE:
                if self.operands.is_batched(like):
                    return node
                if isinstance(like_type := self.core.types.get(like.id), Array) and type_.ndim and not keywords:
                    sizes = [build.subscript(build.attribute(like, 'shape'), k) for k in range(type_.ndim)]
                    return new_array(function.removesuffix('_like'), (self.count, *sizes), like_type.dtype)
        if not is_fresh(node) and self.flow.memory.of(name) & self.flow.memory.written:
            raise Cannot
        shared = self.shapes(node)
        if type_.ndim == 0:
            return build.call('numpy.full', self.count, shared, dtype=static_expression(type_.dtype))
        wide = build.call('numpy.expand_dims', shared, axis=0)
        return build.call('numpy.repeat', wide, self.count, axis=0)

    def longer(self, shape: gast.expr) -> gast.expr:
        """The shape of a batch, from that of an example."""
        match shape:
            case gast.Tuple(elts=sizes) | gast.List(elts=sizes):
                return build.expression((self.count, *sizes))
            case gast.Name(id=name) if not isinstance(self.core.types.get(name), Scalar):
                raise Cannot
        return build.expression((self.count, shape))

    def item(self, tape: str, item: gast.expr) -> gast.expr:
        """What is put on a list."""
        if tape not in self.flow.names or self.operands.is_batched(item):
            return item
        element = getattr(self.core.types.get(tape), 'element', None)
        return self.operands.repeated(item, getattr(element, 'dtype', None))

    # shapes of examples

    def deep(self, node: Any) -> Any:
        """An expression of several operations that is the same for all examples."""
        if isinstance(node, list):
            return [self.deep(part) for part in node]
        if not isinstance(node, gast.AST):
            return node
        try:
            return self.shapes(node) if isinstance(node, gast.expr) and not isinstance(node, gast.Name) else node
        except Cannot:
            return build.like(node, **{field: self.deep(value) for field, value in gast.iter_fields(node)})

    def shapes(self, node: gast.expr) -> gast.expr:
        """An expression that is the same for all examples; it may ask for the shape of something batched."""
        if not set(names(node)) & self.flow.names:
            return node
        match node:
            case gast.Subscript(value=gast.Attribute(value=gast.Name() as base, attr='shape'), slice=gast.Constant(value=axis)):
                rank = self._known_rank(base)
                return build.subscript(build.attribute(base, 'shape'), axis % rank + 1)
            case gast.Attribute(value=gast.Name() as base, attr='size'):
                return self._size(base)
            case gast.Call(func=gast.Name(id='python.len'), args=[gast.Name() as base]):
                self._known_rank(base)
                return build.subscript(build.attribute(base, 'shape'), 1)
            case gast.Call(func=gast.Name(id=function), args=[gast.Name() as base], keywords=keywords) if function in LIKE:
                if any(k.arg not in ('dtype',) for k in keywords):
                    raise Cannot
                sizes = [build.subscript(build.attribute(base, 'shape'), k + 1) for k in range(self._known_rank(base))]
                dtype = next((k.value for k in keywords), static_expression(self.core.types[base.id].dtype))
                return build.call(function.removesuffix('_like'), tuple(sizes), dtype=dtype)
            case gast.Tuple(elts=parts) | gast.List(elts=parts):
                return build.like(node, elts=[self.shapes(part) for part in parts])
        raise Cannot

    def _known_rank(self, base: gast.Name) -> int:
        rank = self.operands.rank(base)
        if not isinstance(self.core.types.get(base.id), Array) or not rank:
            raise Cannot
        return rank

    def _size(self, base: gast.Name) -> gast.expr:
        rank = self._known_rank(base)
        total: gast.expr = build.subscript(build.attribute(base, 'shape'), 1)
        for axis in range(2, rank + 1):
            total = build.binary(total, gast.Mult, build.subscript(build.attribute(base, 'shape'), axis))
        return total


def _atoms(operands: Iterable[gast.expr]) -> list[gast.expr]:
    return [
        atom
        for operand in operands
        for atom in (_atoms(operand.elts) if isinstance(operand, (gast.Tuple, gast.List)) else [operand])
    ]
