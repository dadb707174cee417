"""What makes sequences and iterators: `range`, `zip` and the like, as the specialiser runs them."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterable
from types import MappingProxyType

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.iterables.eager import made_before
from transpiler.specialize.iterables.spaces import UNROLLED, count_of, from_zero, items_of, parts_of, reversed_bounds
from transpiler.specialize.iterables.unread import MAY_RAISE, check_all_made, shows_unread
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Enumerate, Flat, Generator, Islice, NdEnumerate, Product, Reversed, Zip
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.ranges import Checkpointed, Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.types import INT, PYTHONS, Array, Scalar

ENDLESS = 2 ** 62  # iterations
UNEQUAL = 'zip() arguments differ in length'
NEGATIVE = 'Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.'


def _range(ev, *bounds: Binding, snapshots: Binding | None = None) -> Binding:
    first, *rest = bounds
    start, stop, step = (Known(0), first, Known(1)) if not rest else (first, rest[0], rest[1] if len(rest) > 1 else Known(1))
    start, stop, step = map(ev.wholes.index, (start, stop, step))
    if step == Known(0):
        raise ev.inference.failing(ValueError('range() arg 3 must not be zero'))
    iterations = Range((start, stop, step))
    return iterations if snapshots is None else Checkpointed((iterations, snapshots))


def _count(ev, start: Binding = Known(0), step: Binding = Known(1)) -> Binding:
    """`itertools.count`, which nobody sees the end of."""
    if not isinstance(ev.known(step, 'the step of `count`'), int) or ev.operand(start)[1].dtype.kind != 'i':
        raise UnsupportedFunction('`count` of numbers that are not integers is not supported', ev.origin,
                                  instead='count integers, and compute the numbers from them')
    return Generator((_range(ev, start, Known(ENDLESS if step.value > 0 else -ENDLESS), step),))


def _islice(ev, iterable: Binding, *bounds: Binding) -> Binding:
    """`itertools.islice`: no more than a range of positions."""
    lower, upper, every = _range(ev, *bounds).items
    if (upper, every) != (Known(None), Known(1)):
        check_all_made(ev, iterable, '`islice`')
    if not isinstance(every, Known) or every.value not in (None, *range(1, UNROLLED)):
        raise UnsupportedFunction('`islice` with steps that show at run time is not supported', ev.origin,
                                  instead='a constant step')
    for bound in (lower, upper):
        if bound != Known(None) and (negative := ev.compare(gast.Lt, bound, Known(0))) != Known(False):
            if negative == Known(True):
                raise ev.inference.failing(ValueError(NEGATIVE))
            ev.operations.raise_if(negative, NEGATIVE)
    return Islice((iterable, Known(lower.value or 0) if isinstance(lower, Known) else lower, upper,
                                Known(every.value or 1)))


def _reversed(ev, sequence: Binding) -> Binding:
    match sequence:
        case Range(bounds):
            return Range(reversed_bounds(ev, bounds))
        case Dict():
            return Reversed((Tuple(tuple(map(Known, sequence.keys))),))
    return Reversed((sequence,))


def _enumerate(ev, value: Binding, start: Binding = Known(0)) -> Binding:
    return Enumerate((value, ev.wholes.index(start)))


def _zip(ev, *values: Binding, strict: Binding = Known(False)) -> Binding:
    if ev.known(strict, 'whether `zip` is strict'):
        lengths = [_len(ev, value) for value in values]
        for length in lengths[1:]:
            other = ev.compare(gast.NotEq, lengths[0], length)
            if other == Known(True):
                raise ev.inference.failing(ValueError(UNEQUAL))
            ev.operations.raise_if(other, UNEQUAL)
    for value in values:
        shows = shows_unread(ev, value)
        whole = shows is None or _is_taken_whole(ev, value, values)
        if not whole and (whole is False or shows != MAY_RAISE):
            check_all_made(ev, value, '`zip`')
    return Zip(values)


def _is_taken_whole(ev, value: Binding, values: tuple[Binding, ...]) -> bool | None:
    """Whether `zip` takes all items of one of its arguments, and all that is done after them; None if that is not known."""
    if any(made.failure or made.late.follows and value is not values[0] for made in made_before(value)):
        return False
    with ev.builder.nested():     # what is asked is not written down
        lengths = [found and from_zero(ev, found).bounds[1] for found in (items_of(ev, one) for one in (value, *values))]
        if None in lengths:
            return None
        fits = {Known(True) if length == lengths[0] else ev.compare(gast.LtE, lengths[0], length) for length in lengths}
        return Known(False) not in fits and (fits == {Known(True)} or None)


def _product(ev, *values: Binding, repeat: Binding = Known(1)) -> Binding:
    """`itertools.product`, which takes the items of arrays before the first iteration."""
    kept = [ev.operate_by_name('numpy.copy', [v]) if isinstance(v, Var) and isinstance(v.type, Array) else v for v in values]
    return Product(tuple(kept) * ev.known(repeat, 'how often `product` repeats'))


def _arranged(function: Callable[..., Iterable[tuple]]):
    """`itertools.permutations` and the like: the items must be known one by one, and so are their arrangements."""
    def arranged(ev, iterable: Binding, r: Binding = Known(None)) -> Binding:
        parts = parts_of(ev, iterable, function.__name__)
        places = list(itertools.islice(function(range(len(parts)), ev.known(r, 'how many items are taken')), UNROLLED + 1))
        if len(places) > UNROLLED:
            raise UnsupportedFunction(f'more than {UNROLLED} {function.__name__} are not supported', ev.origin,
                                      instead='loop over `range(...)` for each of the items')
        rows = (Tuple(tuple(parts[k] for k in row)) for row in places)
        return Generator((Tuple(tuple(rows)),))
    return arranged


def _repeat(ev, object: Binding, times: Binding = Known(None)) -> Binding:
    """`itertools.repeat` of one thing, so often that each iteration is known."""
    if not isinstance(times, Known) or not isinstance(times.value, int) or times.value > UNROLLED:
        raise UnsupportedFunction(f'`repeat` is supported for a constant number of times, no more than {UNROLLED}', ev.origin,
                                  instead='loop over `range(times)`, and write the object where it is read')
    return Generator((Tuple((object,) * times.value),))


def _ndindex(ev, *shape: Binding) -> Binding:
    match shape:
        case (Container() | Known(tuple() | list()) as whole,):
            shape = parts_of(ev, whole, 'np.ndindex')
    return Product(tuple(_range(ev, size) for size in shape))


def _ndenumerate(ev, array: Binding) -> Binding:
    return NdEnumerate((_ndindex(ev, ev.attribute(array, 'shape')), array))


def flat(ev, array: Binding) -> Binding:
    """`x.flat`, whose items are read when their turn comes."""
    return Flat((_ndindex(ev, ev.attribute(array, 'shape')), array))


def _pairwise(ev, iterable: Binding) -> Binding:
    return Zip((iterable, ev.get_item(iterable, Slice((Known(1), Known(None), Known(None))))))


def _len(ev, value: Binding) -> Binding:
    match value:
        case Range(bounds):
            return count_of(ev, bounds)
        case Container(is_iterator=True):
            raise UnsupportedFunction('an iterator has no length', ev.origin, instead='make a list of it: `list(...)`')
        case Text():
            return Known(len(ev.known(value, 'a text')))
        case DynamicList():
            return ev.placeholders.length_of(value)
        case ArrayList((array,)):
            return _len(ev, array)
        case Container(items=items):
            if ev.overloads.special(value, '__len__') or ev.overloads.class_of(value):
                return ev.overloads.length_of_object(value)
            return Known(len(items))
        case Var(_, Array() as type_) if type_.ndim:
            return ev.expressions.size(value, 0, ev.resolve(type_).dims[0])
        case Var(name, Scalar() | Array(dims=())):
            raise ev.inference.failing(TypeError(_unsized(value.type)))
        case Var(name):
            return ev.builder.define('length', build.call('python.len', name), INT)
        case Known():
            if ev.overloads.class_of(value) is None:
                return ev.operations.fold(len, value)
            return ev.overloads.length_of_object(value)
    raise UnsupportedFunction(f'`len` of {ev.describe(value)} is not supported', ev.origin)


def _unsized(type_: Scalar | Array) -> str:
    """What Python says of the length of a number, or of an array without axes."""
    if isinstance(type_, Array):
        return 'len() of unsized object'
    kind = PYTHONS[type_.dtype.kind].__name__ if type_.weak else f'numpy.{type_.dtype.name}'
    return f"object of type '{kind}' has no len()"


SEQUENCES = MappingProxyType({
    builtins.range: _range,
    builtins.reversed: _reversed,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.len: _len,
    itertools.count: _count,
    itertools.islice: _islice,
    itertools.pairwise: _pairwise,
    itertools.product: _product,
    itertools.repeat: _repeat,
    itertools.permutations: _arranged(itertools.permutations),
    itertools.combinations_with_replacement: _arranged(itertools.combinations_with_replacement),
    np.ndindex: _ndindex,
    np.ndenumerate: _ndenumerate,
})
