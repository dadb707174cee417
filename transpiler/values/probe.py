"""The type of a primitive's result: NumPy itself is called on small dummies whose sizes stand for the symbolic ones.

Each symbol gets a different size in each of several calls; a size of the result that is the same affine expression of
the symbols in all calls is that expression, any other is unknown. So ranks, dtypes and promotion are NumPy's own.
"""
from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from transpiler.values.broadcasting import broadcast, generalized
from transpiler.values.dims import Dim, Symbol
from transpiler.values.fit import Demand, Equalities, Run, all_one, demands, fit, lowest, runs
from transpiler.values.operands import dummies, frozen, sizes_in, symbols_in, types_in
from transpiler.values.scale import Scaled, scaled
from transpiler.values.types import Array, Scalar, Type, Unknown

ELEMENTWISE_OPERATORS = {
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.and_,
    operator.or_, operator.xor, operator.lshift, operator.rshift, operator.neg, operator.pos, operator.invert, operator.lt,
    operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.abs, abs}

# What these make of sizes is affine: `n - 1`, `n + m`.
AFFINE = (operator.add, operator.sub, operator.neg, operator.pos)

MANY_ITEMS = 10**6

Value = Callable[[Dim], 'int | None']
_cache: dict[Any, Any] = {}  # types and equalities; None where some sizes must be equal


def infer(primitive: Any, operands, statics: dict[str, Any], value: Value = lambda dim: None) -> tuple[Any, Equalities]:
    """The type of `primitive(*operands, **statics)`, and the equalities of sizes that NumPy demands for it.

    `primitive` is a rule or any callable (`operator.add` for a Python operator: numbers stay weak). An operand is a type,
    or a tuple of them; a static is a Python value in which types stand for run-time integers. A callable with several
    results gives a tuple of types. What NumPy would refuse raises NumPy's own error. `value` tells what a size is in the call at
    hand: of several ways to make sizes fit, one that is true there comes first.

    >>> n, m = Dim.symbol('n', large=True), Dim.symbol('m', large=True)
    >>> x = Array(np.dtype(np.float32), (n, m))
    >>> print(infer(np.sum, [x], {'axis': 0})[0], infer(operator.mul, [x, Scalar(np.dtype(float), weak=True)], {})[0])
    float32[m] float32[n, m]
    >>> type_, equalities = infer(np.dot, [x, Array(np.dtype(np.float64), (Dim.symbol('k', large=True),))], {})
    >>> print(type_, {str(s.name): str(d) for s, d in equalities.items()})
    float64[n] {'k': 'm'}
    """
    operands = tuple(operands)
    key = (getattr(primitive, 'name', primitive), frozen(operands), frozen(statics))
    if key not in _cache:
        _cache[key] = _infer(primitive, operands, statics)
    if _cache[key] is not None:
        return _cache[key]
    values = tuple(None if dim is None else value(dim) for dim in sizes_in(operands))
    if (key, values) not in _cache:
        _cache[key, values] = _probed(primitive, operands, statics, values)
    return _cache[key, values]


def numpys_own_error(primitive: Any, operands, statics: dict[str, Any]) -> Exception | None:
    """What NumPy itself raises for operands of these types, if that is the same whatever the sizes that are not known.

    >>> numpys_own_error(np.max, [Array(np.dtype(float), (Dim.of(0),))], {})
    ValueError('zero-size array to reduction operation maximum which has no identity')
    """
    types = list(types_in((tuple(operands), statics)))
    if any(not isinstance(t, (Scalar, Array)) or isinstance(t, Array) and (t.dims is None or None in t.dims) for t in types):
        return None
    call, found = _call(primitive), []
    for run in runs(symbols_in((tuple(operands), statics)), sizes_in(tuple(operands))):
        if any(math.prod(map(run.size, t.dims)) > MANY_ITEMS for t in types if isinstance(t, Array)):
            return None
        try:
            _observe(call, dummies(tuple(operands), run), dummies(statics, run))
        except Exception as error:
            found.append(error)
        else:
            return None
    return found[0] if len({(type(error), str(error)) for error in found}) == 1 else None


def _infer(primitive: Any, operands: tuple, statics: dict[str, Any]) -> tuple[Any, Equalities] | None:
    _check_allowed(primitive, statics)
    decided = getattr(primitive, 'type', None)
    if decided is not None:
        return decided(*operands, **statics), {}
    call = _call(primitive)
    flat = list(types_in(operands))
    if any(isinstance(t, Unknown) or (isinstance(t, Array) and t.dims is None) for t in flat):
        return _from_alternatives(call, operands, statics), {}
    if _is_elementwise(primitive):
        return _elementwise(primitive, call, operands, statics)
    signature = getattr(getattr(primitive, 'primitive', primitive), 'signature', None)
    made = _generalized(signature, call, operands, statics) if isinstance(signature, str) else None
    return made or _probed(primitive, operands, statics)


def _check_allowed(primitive: Any, statics: dict[str, Any]) -> None:
    """Refuse values of static parameters that a rule does not cover."""
    for name, values in getattr(primitive, 'allowed', {}).items():
        if name in statics and not any(statics[name] is value or statics[name] == value for value in values):
            raise TypeError(f'{name}={statics[name]!r} is not supported, only {" or ".join(map(repr, values))}')


def _call(primitive: Any) -> Callable:
    """`f(operands, statics)` that calls NumPy with the arguments where its signature has them."""
    if not hasattr(primitive, 'arrange'):
        return lambda operands, statics: primitive(*operands, **statics)

    def call(operands, statics):
        args, keywords = primitive.arrange(operands, statics)
        return primitive.primitive(*args, **keywords)
    return call


def _is_elementwise(primitive: Any) -> bool:
    function = getattr(primitive, 'primitive', primitive)
    if isinstance(function, np.ufunc):
        return function.signature is None and function.nout == 1
    return getattr(primitive, 'kind', '') == 'elementwise' or (callable(function) and function in ELEMENTWISE_OPERATORS)


def _elementwise(primitive: Any, call: Callable, operands: tuple, statics: dict[str, Any]) -> tuple[Any, Equalities]:
    """dtype from NumPy on one item, dims from broadcasting; sums and differences of sizes are followed."""
    joint = broadcast(*(t.dims if isinstance(t, Array) else () for t in operands))
    followed = primitive in AFFINE and all(getattr(t, 'size', None) is not None for t in operands)
    if not followed:  # a divisor that is a size less another must not be 0
        operands = tuple(replace(t, size=None) if isinstance(t, Scalar) else t for t in operands)
    symbols = symbols_in((operands, statics))
    made = runs(symbols)
    results = [_observe(call, dummies(operands, run, ones=True), dummies(statics, run)) for run in made]
    if isinstance(results[0], np.ndarray):
        return Array(results[0].dtype, joint.dims), joint.equalities
    type_ = _typed(results, lambda values: None)
    return (replace(type_, size=fit(results, made, symbols)) if followed else type_), joint.equalities


def _generalized(signature: str, call: Callable, operands: tuple, statics: dict[str, Any]) -> tuple[Any, Equalities] | None:
    """dtype from NumPy on one item, dims from the signature; None for what NumPy refuses."""
    with suppress(ValueError):
        dims, equalities = generalized(signature, tuple(t.dims if isinstance(t, Array) else () for t in operands))
        made = _observe(call, dummies(operands, runs(symbols_in(operands))[0], ones=True), statics)
        return (Array(made.dtype, dims) if dims else Scalar(made.dtype)), equalities
    return None


def _probed(
    primitive: Any, operands: tuple, statics: dict[str, Any], values: Sequence[int | None] | None = None
) -> tuple[Any, Equalities] | None:
    """Call NumPy. If it refuses the result is None, but if `values` tell what the sizes are in the call at hand: then the fewest
    equalities of sizes are assumed with which NumPy does not, at last that some are 1.
    """
    call, small = _call(primitive), scaled(operands, statics, getattr(primitive, 'runtime', ()))
    symbols, failure = symbols_in((small.operands, small.statics)), None
    for demand in [Demand({}, ())] if values is None else _demands(small, symbols, values):
        free = [s for s in symbols if s not in demand.equalities]
        try:
            made, results = _tried(call, small, symbols, demand.zero)
        except (ValueError, IndexError) as error:
            failure = failure or error
            continue
        vague = small.unknown | _not_demanded(call, small, symbols, demand.equalities)
        least = _lowest(call, small, symbols, demand.zero)

        def size(values, made=made, free=free, vague=vague):
            found = fit(values[:len(made)], made, free, sizes_in(small.operands))
            if found is None or any(s in vague for s, _ in found.terms):
                return None
            if found.is_constant and values[len(made):] not in ([], [found.constant]):
                return None
            return found.substitute(small.constants)
        sure = {s: d.substitute(small.constants) for s, d in demand.equalities.items()
                if s not in vague and not any(t in vague for t, _ in d.terms)}
        if least is not None and _alike(least, results[0]):
            results.append(least)
        return _typed(results, size), sure
    if values is None:
        return None
    raise failure


def _demands(small: Scaled, symbols: list[Symbol], values: Sequence[int | None]) -> Iterator[Demand]:
    """What may have to be true of sizes."""
    known = dict(zip(sizes_in(small.operands), values, strict=True))
    dims = [dim for dim in known if not dim.is_one]
    perhaps_one = [s for s in symbols if not s.large and s not in small.constants]
    yield from demands(dims, small.constants, lambda *pair: None not in (both := [known[d] for d in pair]) and both[0] != both[1])
    yield from all_one(perhaps_one)


def _tried(call: Callable, small: Scaled, symbols: list[Symbol], zero: Sequence[Dim]) -> tuple[list[Run], list[Any]]:
    """The probes where `zero` are 0, and what NumPy makes of them."""
    made = runs(symbols, sizes_in(small.operands), zero, small.least, small.axes)
    if not made:
        raise ValueError('there are no such sizes')
    return made, [_observe(call, dummies(small.operands, run), dummies(small.statics, run)) for run in made]


def _lowest(call: Callable, small: Scaled, symbols: list[Symbol], zero: Sequence[Dim]) -> Any:
    """What NumPy gives for sizes below those that are constants: the smaller of a constant and a symbol is no constant."""
    if not symbols or not any(d.is_constant and d.constant > 2 for d in sizes_in(small.operands)):
        return None
    run = lowest(symbols, sizes_in(small.operands), zero)
    try:
        return run and _observe(call, dummies(small.operands, run), dummies(small.statics, run))
    except (ValueError, IndexError):
        return None


def _alike(left: Any, right: Any) -> bool:
    """Whether two results have as many parts, of the same ranks."""
    if isinstance(left, (tuple, list)):
        return len(left) == len(right) and all(map(_alike, left, right))
    return np.ndim(left) == np.ndim(right)


def _not_demanded(call: Callable, small: Scaled, symbols: list[Symbol], equalities: Equalities) -> set[Symbol]:
    """Symbols that were taken to be equal to others, though they might be a 1 that NumPy broadcasts."""
    vague: set[Symbol] = set()
    for symbol, value in equalities.items():
        pair = {symbol, *(t for t, _ in value.terms)}
        for one in sorted(s for s in pair if not s.large):
            relaxed = {**{s: d for s, d in equalities.items() if s != symbol}, one: Dim.of(1)}
            try:
                _tried(call, small, symbols, Demand.of(relaxed).zero)
            except (ValueError, IndexError):
                continue
            vague |= {one} if any(s.large for s in pair) else pair
    return vague


def _from_alternatives(call: Callable, operands: tuple, statics: dict[str, Any]) -> Type:
    """The type that the result has whatever the unknown operands are, as far as a few alternatives tell."""
    found = []
    for dtype, rank in [*((np.dtype(np.float64), rank) for rank in range(4)), (np.dtype(np.float32), 1), (np.dtype(np.int64), 1)]:
        run = runs(symbols_in(statics))[0]
        try:
            result = _observe(call, dummies(_settled(operands, dtype, rank), run), dummies(statics, run))
            found.append(_typed([result], lambda values: None))
        except (ValueError, TypeError, IndexError):
            continue
    if not found or not all(isinstance(t, (Scalar, Array)) for t in found):
        return Unknown()
    dtypes = {t.dtype for t in found}
    if len(dtypes) > 1 and any(dtype.kind != 'c' for dtype in dtypes):
        return Unknown()
    dtype = np.result_type(*dtypes)  # that it is complex counts more than how precise
    if all(isinstance(t, Scalar) for t in found):
        return Scalar(dtype, all(t.weak for t in found))
    return Array(dtype, None)


def _settled(value: Any, dtype: np.dtype, rank: int) -> Any:
    """`value` with the unknown types in it settled as arrays of that dtype and rank, all of one size."""
    match value:
        case tuple():
            return tuple(_settled(v, dtype, rank) for v in value)
        case Unknown():
            return Array(dtype, (Dim.of(3),) * rank) if rank else Scalar(dtype)
        case Array(own, None):
            return Array(own, (Dim.of(3),) * rank)
        case Array(own, known):
            return Array(own, tuple(Dim.of(3) if d is None or not d.is_one else d for d in known))
    return value


def _observe(call: Callable, operands: Any, statics: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        return call(operands, statics)


def _typed(results: list[Any], size: Callable[[list[int]], Dim | None]) -> Any:
    """The type that all observed results have; `size` makes a dimension of the sizes observed."""
    first = results[0]
    if isinstance(first, (tuple, list)):
        return tuple(_typed([r[k] for r in results], size) for k in range(len(first)))
    if isinstance(first, np.ndarray):
        if len({r.ndim for r in results}) > 1:
            return Array(first.dtype, None)
        return Array(first.dtype, tuple(size([r.shape[axis] for r in results]) for axis in range(first.ndim)))
    if isinstance(first, np.generic):
        return Scalar(first.dtype)
    if isinstance(first, (bool, int, float, complex)):
        return Scalar(np.dtype(type(first)), weak=True)
    raise TypeError(f'the result is {type(first).__name__}, not a number or an array')
