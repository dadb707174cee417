"""New arrays, copies and conversions."""
import operator

import numpy as np

from transpiler.rules.base import types
from transpiler.rules.base.batching import new_axes, sizes
from transpiler.rules.base.examples import UNARY, case
from transpiler.rules.base.registry import batched, element_by_element, inactive, linear, vjp
from transpiler.values.types import INT
from transpiler_kernels import arrays

IN_C_ORDER = {'order': ('C',), 'device': (None, 'cpu'), 'like': (None,)}
LIKE = {'order': ('K', 'C'), 'subok': (True, False), 'shape': (None,), 'device': (None, 'cpu')}


@inactive(np.zeros, np.ones, np.empty, type=types.created, static=('shape',), runtime=('shape',), allowed=IN_C_ORDER,
          examples=(case(shape=(2, 3)), case(shape=4, dtype=np.float32)))
def filled(shape, dtype=None, order='C', *, device=None, like=None):
    return None


@inactive(np.zeros_like, np.ones_like, np.empty_like, allowed=LIKE, examples=UNARY)
def filled_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None):
    return None


@linear(np.full, static=('shape',), runtime=('shape',), allowed=IN_C_ORDER,
        examples=(case(shape=(2, 3), fill_value=1.5), case(shape=3, fill_value=-0.5)))
def full(ct, shape, fill_value, dtype=None, order='C', *, device=None, like=None):
    return arrays.unbroadcast(ct, fill_value)


@vjp(np.full_like, allowed=LIKE, linear_in=('fill_value',), examples=(case((2, 3), ()), case((3,), ())))
def full_like(ct, a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None):
    return None, arrays.unbroadcast(ct, fill_value)


@inactive(np.eye, static=('N',), runtime=('N', 'M', 'k'), allowed=IN_C_ORDER, examples=(case(N=3), case(N=3, M=4, k=1)))
def eye(N, M=None, k=0, dtype=float, order='C', *, device=None, like=None):
    return None


@inactive(np.identity, static=('n',), runtime=('n',), allowed={'like': (None,)}, examples=(case(n=3),))
def identity(n, dtype=None, *, like=None):
    return None


@inactive(np.tri, static=('N',), runtime=('N', 'M', 'k'), real=('N', 'M', 'k'), type=types.triangle, allowed={'like': (None,)},
          examples=(case(N=3),))
def tri(N, M=None, k=0, dtype=float, *, like=None):
    return None


@inactive(np.arange, type=types.ranged, static=('start_or_stop',), runtime=('start_or_stop', 'stop', 'step'),
          real=('start_or_stop', 'stop', 'step'),
          allowed={'device': (None, 'cpu'), 'like': (None,)},
          examples=(case(4), case(1, 9, 2), case(0.0, 1.0, 0.25)))
def arange(start_or_stop, stop=None, step=1, dtype=None, *, device=None, like=None):
    return None


@vjp(np.linspace, jointly_linear=True, runtime=('num',), allowed={'retstep': (False,), 'axis': (0,), 'device': (None, 'cpu')},
     examples=(case((), ()), case((), (), num=5), case((), (), num=4, endpoint=False), case((3,), (3,), num=4),
               case((), (), num=1)))
def linspace(ct, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    t = np.linspace(0.0, 1.0, num, endpoint=endpoint, dtype=ct.dtype)
    return arrays.unbroadcast(np.tensordot(1 - t, ct, 1), start), arrays.unbroadcast(np.tensordot(t, ct, 1), stop)


@linear(np.copy, allowed={'order': ('K', 'C'), 'subok': (False,)}, examples=UNARY)
def copy(ct, a, order='C', subok=False):
    """`x.copy()`, in C order; that of `np.copy(x)`, which keeps the order of `x`, is said: order='K'."""
    return ct


@linear(np.astype, static=('dtype',), type=types.cast, allowed={'copy': (True,), 'device': (None, 'cpu')},
        examples=(case((3,), np.float64), case((2, 3), np.float32)))
def astype(ct, x, dtype, *, copy=True, device=None):
    return ct.astype(x.dtype) if np.iscomplexobj(x) or not np.iscomplexobj(ct) else np.real(ct).astype(x.dtype)


@inactive(arrays.as_items, static=('dtype',), type=types.cast, examples=(case((3,), np.int8),))
def as_items(values, dtype):
    return None


@linear(np.ascontiguousarray, view=True, allowed={'like': (None,)}, examples=(case((3, 4)),))
def contiguous(ct, a, dtype=None, *, like=None):
    return ct.astype(a.dtype) if np.iscomplexobj(a) or not np.iscomplexobj(ct) else np.real(ct).astype(a.dtype)


@linear(float, examples=(case(()),))
def to_float(ct, x):
    return ct


@vjp(complex, jointly_linear=True, examples=(case((), ()), case((), 0.5), case(0.5, ())))
def to_complex(ct, real, imag):
    """Not as `real + 1j * imag`, which is NaN where the latter is infinite."""
    return ct if np.iscomplexobj(real) else np.real(ct), 1j * ct if np.iscomplexobj(imag) else -np.imag(ct)


@inactive(int, bool, examples=(case(()),))
def to_whole(x):
    return None


@inactive(operator.index, name='operator.index', type=lambda number: INT, examples=(case(2),))
def index(number):
    return None


@inactive(arrays.as_index, type=lambda index: INT, examples=(case(2),))
def as_index(index):
    return None


@vjp(np.array, jointly_linear=True, sequences=('object',), nested=True,
     allowed={'copy': (True,), 'order': ('K', 'C'), 'subok': (False,), 'ndmin': (0,), 'ndmax': (0,), 'like': (None,)},
     examples=(case([(), (), ()]), case([[(), ()], [(), ()]]), case([(3,), (3,)]), case((3,)), case([(), 1.0])))
def array(ct, object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None):
    return items(ct, object)


@vjp(np.asarray, view=True, jointly_linear=True, sequences=('a',), nested=True,
     allowed={'order': ('K', 'C', None), 'device': (None, 'cpu'), 'copy': (None,), 'like': (None,)},
     examples=(case([(), (), ()]), case((3,)), case([(3,), (3,)])))
def asarray(ct, a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return items(ct, a)


def items(ct, value):
    """The cotangents of the items of a nested sequence that became one array."""
    if not isinstance(value, (list, tuple)):
        return ct
    bars = ()
    for k, item in enumerate(value):
        bars = bars + (items(ct[k], item),)
    return bars


element_by_element(arrays.as_items, np.copy, np.astype, np.ascontiguousarray, np.zeros_like, np.ones_like, np.empty_like)


@batched(np.full)
def filled_examples(function, fill_value, shape, **options):
    shape = sizes(shape)
    return np.full((fill_value.shape[0], *shape), fill_value[new_axes(len(shape), fill_value.ndim)], **options)


@batched(np.full_like, mixed=True)
def filled_like_examples(function, which, a, fill_value, **options):
    if not which[1]:
        return np.full_like(a, fill_value, **options)
    whole = a if which[0] else np.broadcast_to(a, fill_value.shape[:1] + np.shape(a))
    return np.full_like(whole, fill_value[new_axes(whole.ndim - 1, fill_value.ndim)], **options)


@batched(np.linspace, mixed=True)
def spaced_examples(function, which, start, stop, **options):
    rank = max(np.ndim(start) - which[0], np.ndim(stop) - which[1])
    first = start[new_axes(rank, start.ndim)] if which[0] else start
    last = stop[new_axes(rank, stop.ndim)] if which[1] else stop
    return np.moveaxis(np.linspace(first, last, **options), 0, 1)


@batched(np.array, np.asarray)
def arrays_of_examples(function, value, dtype=None, **options):
    if not isinstance(value, (list, tuple)):
        return function(value) if dtype is None else function(value, dtype=dtype)
    made = joined_examples(value)
    return made if dtype is None else made.astype(dtype)


def joined_examples(value):
    """The batch of the arrays that nested sequences of batched items make."""
    parts = ()
    for item in value:
        parts = parts + (joined_examples(item) if isinstance(item, (list, tuple)) else item,)
    return np.stack(parts, axis=1)
