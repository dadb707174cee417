"""What evaluating an operation may do besides giving a value: raise, read or write memory, return shared memory."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import zip_longest
from typing import Any

import gast
import numpy as np

from transpiler.core.helpers import Fact, holds_of
from transpiler.core.query import children, is_primitive, parts, primitive
from transpiler.garbage import while_making
from transpiler.values.dims import Dim
from transpiler.values.numbers import divides_as_python, number_type
from transpiler.values.types import Array, Scalar

# results of these are always new memory (so are those of every ufunc and of every operator)
_FRESH = frozenset('''
    zeros ones empty full zeros_like ones_like empty_like full_like copy array arange linspace eye identity
    sum prod mean std var max min amax amin ptp argmax argmin all any count_nonzero median cumsum cumprod diff where clip
    concatenate stack hstack vstack dstack column_stack tile repeat append roll sort argsort pad tril triu
    dot matmul outer inner tensordot kron cross trace vdot take interp searchsorted bincount
    linalg.inv linalg.det linalg.solve linalg.norm linalg.cholesky linalg.eigh linalg.eigvalsh linalg.svd linalg.qr
    linalg.slogdet linalg.pinv fft.fft fft.ifft fft.rfft fft.irfft
    astype ndarray.flatten round fix nan_to_num select sinc average extract compress take_along_axis nonzero flatnonzero argwhere
    nansum nanprod nanmean nanvar nanstd nanmax nanmin nancumsum ediff1d trapezoid polyval vander logspace diagflat tri
    '''.split())
# these read the shape and dtype of their arguments, not what is in them
_SHAPES = frozenset({'numpy.zeros_like', 'numpy.ones_like', 'numpy.empty_like', 'numpy.shape', 'numpy.size', 'numpy.ndim'})
_MADE = frozenset(f'numpy.{name}' for name in ('zeros', 'ones', 'empty', 'full', 'eye', 'identity'))
_SAFE = _SHAPES | _MADE - {'numpy.eye', 'numpy.identity'} | {'tape.new', 'numpy.full_like', 'numpy.copy', 'numpy.outer'}
_WRITES = frozenset({'numpy.copyto', 'numpy.put', 'numpy.place', 'numpy.putmask', 'numpy.put_along_axis', 'numpy.fill_diagonal'})
_PURE_BUILTINS = frozenset({'abs', 'bool', 'complex', 'float', 'int', 'len', 'max', 'min', 'round', 'str', 'repr', 'format'})
# these make or read lists: they change nothing, but what they give depends on when they are evaluated
_FRESH_PRIMITIVES = frozenset({'kernels.on_diagonal', 'kernels.recurrence', 'kernels.factored', 'kernels.from_factors'})
ASKING = ('operator.index', 'kernels.as_index')     # these give what they are given, and are there since they may raise
_FRESH_LISTS = frozenset(f'tape.{name}' for name in ('list', 'array', 'of', 'zeros', 'zeros_like'))
LIST_READS = _FRESH_LISTS | {'tape.item'}
SHOWING = frozenset({'real', 'imag'})  # attributes that are views, in lowered code; all others tell about sizes
ONE = Dim.of(1)
LONG = np.iinfo(np.int64)
_COMPARING = frozenset({'equal', 'not_equal', 'less', 'less_equal', 'greater', 'greater_equal'})
_PARTIAL = (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow, gast.LShift, gast.RShift)


@cache
def is_ufunc(name: str) -> bool:
    if not name.startswith('numpy.'):
        return False
    found: Any = np
    for part in name.split('.')[1:]:
        found = getattr(found, part, None)
    return isinstance(found, np.ufunc)


def is_pure_primitive(name: str) -> bool:
    """Calling it has no effect: the call may be dropped, doubled and moved, as far as memory allows."""
    package, _, function = name.partition('.')
    if name in ASKING or holds_of(name, Fact.IS_NOTICED):
        return False
    if package == 'numpy':
        return not function.startswith('random.') and name not in _WRITES
    return package in ('scipy', 'math', 'kernels', 'box') or package == 'python' and function in _PURE_BUILTINS or name == 'range'


def calls(node: gast.AST) -> Iterator[gast.Call]:
    return (part for part in parts(node) if isinstance(part, gast.Call))


@while_making(20_000)
def is_pure(node: gast.expr) -> bool:
    """Evaluating `node` has no effect.

    >>> from transpiler.core.text import expression
    >>> is_pure(expression('np.exp(x)[i]')), is_pure(expression('tape.pop(t)')), is_pure(expression('np.random.normal()'))
    (True, False, False)
    """
    return all(isinstance(call.func, gast.Name) and is_pure_primitive(call.func.id) and not _writes_out(call)
               for call in calls(node))


def is_noticed(statement: gast.stmt) -> bool:
    """Running it twice would be noticed outside: output, random draws. Writes into arrays are not meant.

    >>> from transpiler.core.text import parse
    >>> [is_noticed(s) for s in parse('y = np.exp(x); tape.push(t, y); python.print(y); return y').body]
    [False, False, True, False]
    """
    match statement:
        case gast.Assign(value=value) | gast.AugAssign(value=value) | gast.Expr(value=value):
            name = primitive(value) or ''
            return not is_pure(value) and name not in ASKING and not name.startswith(('tape.', 'call.'))
    return False


def _writes_out(call: gast.Call) -> bool:
    return any(keyword.arg == 'out' for keyword in call.keywords)


def is_fresh(node: gast.expr) -> bool:
    """The value of `node` shares memory with nothing else.

    >>> from transpiler.core.text import expression
    >>> is_fresh(expression('x + y')), is_fresh(expression('np.exp(x)')), is_fresh(expression('x[1:]'))
    (True, True, False)
    """
    match node:
        case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.Constant():
            return True
        case gast.Subscript(value=shown):
            return is_fresh(shown)
        case gast.Call(func=gast.Name(id=name), args=[shown, *_]) if holds_of(name, Fact.PASSES_ON):
            return is_fresh(shown)
        case gast.Call(func=gast.Name(id=name), keywords=keywords):
            if any(keyword.arg in ('copy', 'out') for keyword in keywords):
                return False
            package, _, function = name.partition('.')
            several = name == 'numpy.einsum' and len(node.args) > 2  # of one operand it may be a view
            listed = name in _FRESH_LISTS | _FRESH_PRIMITIVES or package == 'numpy' and function in _FRESH
            return is_ufunc(name) or several or listed or package == 'scipy' or holds_of(name, Fact.FRESH)
    return False


@while_making(20_000)
def memory_reads(node: gast.AST) -> frozenset[str]:
    """The names whose memory is read when `node` is evaluated; `x.shape` and `np.zeros_like(x)` read none.

    >>> from transpiler.core.text import expression
    >>> sorted(memory_reads(expression('a[i] + b.shape[0] + np.sum(np.zeros_like(c))')))
    ['a', 'i']
    """
    found: list[str] = []
    waiting = [node]
    for part in waiting:
        match part:
            case gast.Name(id=identifier):
                if not is_primitive(identifier):
                    found.append(identifier)
            case gast.Attribute(attr=attribute) if attribute not in SHOWING:
                pass
            case gast.Call(func=gast.Name(id=name)) if name in _SHAPES:
                pass
            case gast.Call(func=gast.Name(id='kernels.unbroadcast'), args=[read, _]) | gast.Call(
                func=gast.Name(id='numpy.full_like'), args=[_, read], keywords=[]
            ):
                waiting.append(read)
            case _:
                waiting += children(part)
    return frozenset(found)


def may_raise(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """Evaluating `node` may raise for some values of its operands; no size of a new array is taken to lie below zero.

    >>> from transpiler.core.text import expression
    >>> from transpiler.values.dims import Dim
    >>> may_raise(expression('x[i]'), {}), may_raise(expression('x * y'), {}), may_raise(expression('x.shape[0]'), {})
    (True, False, False)
    >>> row = lambda dim: Array(np.dtype(float), (dim,))
    >>> types = {'x': row(Dim.symbol('n')), 'y': row(Dim.symbol('m')), 'z': row(Dim.symbol('n'))}
    >>> may_raise(expression('x * y'), types), may_raise(expression('x * z'), types)
    (True, False)
    """
    match node:
        case gast.Subscript(value=gast.Attribute()) | gast.Attribute():
            return False
        case gast.Subscript():
            return True
        case gast.BinOp(op=gast.Div() | gast.FloorDiv() | gast.Mod(), right=gast.Constant(value=divisor)) if divisor:
            pass
        case gast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _PARTIAL):
            if not _numpy_number(left, types) and not _numpy_number(right, types) or _divides_as_python(left, right, types):
                return True
        case gast.Call(func=gast.Name(id='python.bool'), args=[gast.Name(id=number)]) if isinstance(types.get(number), Scalar):
            return False
        case gast.Call(func=gast.Name(id='numpy.astype'), args=[gast.Name(), gast.Name(id='numpy.bool')]):
            return False
        case gast.Call(func=gast.Name(id=name)) if not is_ufunc(name) and name not in _SAFE:
            return True
    if _may_be_too_long(node, types):
        return True
    inner = (child for child in children(node) if isinstance(child, gast.expr))
    return not _sizes_fit(node, types) or any(may_raise(child, types) for child in inner)


def _may_be_too_long(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """Whether an integer of Python's stands beside NumPy's of a dtype that may not hold it; comparing them is fine.

    >>> from transpiler.core.text import expression
    >>> from transpiler.values.types import INT
    >>> types = {'k': INT, 'a': Array(np.dtype('int8'), (None,)), 'b': Array(np.dtype('int64'), (None,))}
    >>> texts = 'a + 100', 'a + 300', 'a + k', 'b + k', 'a < k', 'np.add(300, a)'
    >>> [_may_be_too_long(expression(text), types) for text in texts]
    [False, True, True, False, False, True]
    """
    match node:
        case gast.BinOp(left=left, right=right):
            operands = [left, right]
        case gast.Call(func=gast.Name(id='numpy.astype'), args=[gast.Name(id=number), *given], keywords=keywords):
            dtypes = [getattr(part, 'id', '') for part in (*given, *(keyword.value for keyword in keywords))]
            whole = any(dtype.startswith(('numpy.int', 'numpy.uint')) for dtype in dtypes)
            return whole and getattr(types.get(number), 'weak', False)      # `np.int8(300)`
        case gast.Call(func=gast.Name(id='numpy.full'), args=[_, number, *_], keywords=keywords):
            return bool(keywords) and _integers(number, types.get(getattr(number, 'id', ''))) != (0, 0)
        case gast.Call(func=gast.Name(id=name), args=operands) if is_ufunc(name) or name == 'numpy.full_like':
            if name.removeprefix('numpy.') in _COMPARING:
                return False
        case _:
            return False
    kinds = [types.get(one.id) if isinstance(one, gast.Name) else None for one in operands]
    own = [kind.dtype for kind in kinds if getattr(kind, 'dtype', None) is not None and not getattr(kind, 'weak', False)]
    if not own or any(dtype.kind not in 'biu' for dtype in own):
        return False
    whole = np.result_type(*own)
    ends = np.iinfo(whole) if whole.kind in 'iu' else LONG
    return any(not ends.min <= low <= high <= ends.max for low, high in map(_integers, operands, kinds))


def _integers(operand: gast.expr, kind: Any) -> tuple[int, int]:
    """Between which numbers an integer of Python's lies; 0 for anything else."""
    match operand:
        case gast.Constant(value=int(value)) if not isinstance(value, bool):
            return value, value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
            return -value, -value
    weak = getattr(kind, 'weak', False) and kind.dtype.kind == 'i'
    return (LONG.min, LONG.max) if weak else (0, 0)


def _sizes_fit(node: gast.expr, types: Mapping[str, Any]) -> bool:
    match node:
        case gast.BinOp(left=left, op=gast.MatMult(), right=right):
            return fit([left, right], types, product=True)
        case gast.BinOp(left=left, right=right) | gast.Compare(left=left, comparators=[right]):
            return fit([left, right], types)
        case gast.Call(func=gast.Name(id=name), args=operands) if is_ufunc(name):
            return fit(operands, types)
    return True


def fit(operands: Iterable[gast.expr], types: Mapping[str, Any], product: bool = False) -> bool:
    """Whether the sizes of arrays certainly fit each other, in a product of matrices too; those of unknown types are taken to."""
    arrays = [types.get(operand.id) for operand in operands if isinstance(operand, gast.Name)]
    shapes = [array.dims for array in arrays if isinstance(array, Array) and array.dims]
    if product and len(shapes) == 2:
        one, other = shapes[0][-1], shapes[1][-2:][0]
        if one is None or one != other:
            return False
        shapes = [shape[:-2] for shape in shapes]
    axes = zip_longest(*(shape[::-1] for shape in shapes), fillvalue=ONE)
    found = ([size for size in sizes if size is None or not size.is_one] for sizes in axes)
    return all(None not in sizes[1:] and len(set(sizes)) <= 1 for sizes in found)


def sizes_made(node: gast.expr) -> Iterator[gast.expr]:
    """The sizes of the arrays that evaluating `node` makes anew of sizes alone; one below zero raises.

    >>> from transpiler.core.text import expression
    >>> [size.id for size in sizes_made(expression('np.zeros((n, m)) + np.full(shape=k, fill_value=x)'))]
    ['n', 'm', 'k']
    """
    for call in calls(node):
        if primitive(call) in _MADE:
            shape = call.args[0] if call.args else next(k.value for k in call.keywords if k.arg in ('shape', 'N'))
            yield from shape.elts if isinstance(shape, (gast.Tuple, gast.List)) else [shape]


def _divides_as_python(left: gast.expr, right: gast.expr, types: Mapping[str, Any]) -> bool:
    of = [number_type(n.value) if isinstance(n, gast.Constant) else types.get(getattr(n, 'id', '')) for n in (left, right)]
    return divides_as_python(*of)


def _numpy_number(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """A NumPy float or an array of them: dividing it warns instead of raising."""
    type_ = types.get(node.id) if isinstance(node, gast.Name) else None
    dtype = getattr(type_, 'dtype', None)
    return dtype is not None and dtype.kind in 'fc' and not getattr(type_, 'weak', False)
