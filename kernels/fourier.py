"""NumPy's Fourier transforms for compiled code: the inner loops of its own ufuncs, called at their addresses.

Where these stand in a ufunc is part of NumPy's interface for C (`PyUFuncObject` in `ufuncobject.h`). What a loop takes:
https://numpy.org/doc/stable/reference/c-api/generalized-ufuncs.html
"""
import ctypes

import numpy as np
import numpy.fft._pocketfft_umath as umath
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.machine.symbols import WORD, address_of, known_as, word_at
from transpiler_kernels.memory.allocation import empty

FUNCTIONS, DATA, TYPES = 32, 40, 64  # offsets in a `PyUFuncObject`: loops, what each is given besides, and their types
TABLE, FFT, IFFT, RFFT_EVEN, RFFT_ODD, IRFFT = 'transpiler_fourier', 0, 1, 2, 3, 4


def _loops() -> np.ndarray:
    """The loop and its data of every transform, for doubles and for floats."""
    found = []
    for ufunc in (umath.fft, umath.ifft, umath.rfft_n_even, umath.rfft_n_odd, umath.irfft):
        functions, data, kinds = (word_at(id(ufunc) + place) for place in (FUNCTIONS, DATA, TYPES))
        for wanted in 'df':
            number = next(k for k, text in enumerate(ufunc.types) if text[1] == wanted)
            written = ctypes.string_at(kinds + number * ufunc.nargs, ufunc.nargs)
            if list(written) != [np.dtype(kind).num for kind in ufunc.types[number].replace('->', '')]:
                raise ImportError('this version of NumPy lays out ufuncs in another way')
            found.append([word_at(functions + 8 * number), word_at(data + 8 * number) if data else 0])
    return np.array(found)


_table = _loops()
known_as(TABLE, _table.ctypes.data)
table = address_of(TABLE)


@intrinsic
def word(context, address):
    """The word at an address."""
    def code(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], WORD.as_pointer()))
    return types.int64(types.int64), code


@intrinsic
def call_loop(context, function, data, a, factor, out, sizes, steps):
    """Call the loop of a ufunc of `a` and `factor`; as these are arrays, not addresses, they live as long as it runs."""
    def code(context, builder, signature, args):
        start = [context.make_array(type_)(context, builder, value).data for type_, value in zip(signature.args, args) if
                 isinstance(type_, types.Array)]
        operands = cgutils.alloca_once(builder, ir.ArrayType(WORD, 3))
        for k in range(3):
            builder.store(builder.ptrtoint(start[k], WORD), cgutils.gep_inbounds(builder, operands, 0, k))
        kind = ir.FunctionType(ir.VoidType(), [WORD] * 4)
        rest = [builder.ptrtoint(p, WORD) for p in (operands, *start[3:])]
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [*rest, args[1]])
        return context.get_dummy_value()
    return types.void(types.int64, types.int64, a, factor, out, sizes, steps), code


@kernel()
def transformed(kind, a, points, power, out, there):
    """Fill the first `there` places of `out` with transforms of `a`, of so many points and divided by `points ** power`.

    They are taken along the middle axis of three.
    """
    if points < 1:
        raise ValueError('the number of points of a Fourier transform must be positive')
    entry = table() + 16 * (2 * kind + (a.real.itemsize == 4))
    before, here, after = a.shape
    factor = np.full(1, float(points) ** -power, a.real.dtype)
    if after == 1:
        sizes = np.array([before, here, there])
        steps = np.array([here * a.itemsize, 0, out.shape[1] * out.itemsize, a.itemsize, out.itemsize])
        call_loop(word(entry), word(entry + 8), a, factor, out, sizes, steps)
        return out
    sizes = np.array([after, here, there])
    steps = np.array([a.itemsize, 0, out.itemsize, after * a.itemsize, after * out.itemsize])
    for k in range(before):
        call_loop(word(entry), word(entry + 8), a[k], factor, out[k], sizes, steps)
    return out


@kernel()
def fft(a, points, power):
    """`np.fft.fft` along the middle axis of three, divided by `points ** power`.

    >>> fft(np.ones((1, 2, 1), complex), 2, 0.0).ravel()
    array([2.+0.j, 0.+0.j])
    """
    return transformed(FFT, a, points, power, empty((a.shape[0], points, a.shape[2]), a.dtype), points)


@kernel()
def ifft(a, points, power):
    """`np.fft.ifft`, divided by `points ** power` and nothing else.

    >>> ifft(np.ones((1, 2, 1), complex), 2, 1.0).ravel()
    array([1.+0.j, 0.+0.j])
    """
    return transformed(IFFT, a, points, power, empty((a.shape[0], points, a.shape[2]), a.dtype), points)


@kernel()
def whole(a, points, power, out, sign):
    """Fill `out` with the transform of real numbers: the second half is the first one, conjugate and backwards.

    `sign` is that of the imaginary parts: -1 gives the inverse transform.
    """
    half = points // 2 + 1
    transformed(RFFT_ODD if points % 2 else RFFT_EVEN, a, points, power, out, half)
    for i in range(out.shape[0]):
        for k in range(points - half):
            for j in range(out.shape[2]):
                value = out[i, 1 + k, j]
                out[i, points - 1 - k, j] = complex(value.real, -sign * value.imag)
        if sign < 0:
            out[i, :half] = np.conj(out[i, :half])
    return out


@kernel()
def fft_of_real(a, points, power):
    """`np.fft.fft` of real numbers along the middle axis of three, divided by `points ** power`.

    >>> fft_of_real(np.array([1.0, 2.0, 4.0]).reshape(1, 3, 1), 3, 0.0).ravel().round(3)
    array([ 7.+0.j   , -2.+1.732j, -2.-1.732j])
    """
    return whole(a, points, power, empty((a.shape[0], points, a.shape[2]), np.complex128), 1)


@kernel()
def ifft_of_real(a, points, power):
    """`np.fft.ifft` of real numbers, divided by `points ** power` and nothing else.

    >>> ifft_of_real(np.array([1.0, 2.0, 4.0]).reshape(1, 3, 1), 3, 0.0).ravel().round(3)
    array([ 7.-0.j   , -2.-1.732j, -2.+1.732j])
    """
    return whole(a, points, power, empty((a.shape[0], points, a.shape[2]), np.complex128), -1)


@kernel()
def rfft(a, points, power):
    """`np.fft.rfft` of doubles.

    >>> rfft(np.ones((1, 2, 1)), 2, 0.0).ravel()
    array([2.+0.j, 0.+0.j])
    """
    out = empty((a.shape[0], points // 2 + 1, a.shape[2]), np.complex128)
    return transformed(RFFT_ODD if points % 2 else RFFT_EVEN, a, points, power, out, out.shape[1])


@kernel()
def rfft_single(a, points, power):
    """`np.fft.rfft` of floats.

    >>> rfft_single(np.ones((1, 2, 1), np.float32), 2, 0.0).ravel()
    array([2.+0.j, 0.+0.j], dtype=complex64)
    """
    out = empty((a.shape[0], points // 2 + 1, a.shape[2]), np.complex64)
    return transformed(RFFT_ODD if points % 2 else RFFT_EVEN, a, points, power, out, out.shape[1])


@kernel()
def irfft(a, points, power):
    """`np.fft.irfft`, divided by `points ** power` and nothing else.

    >>> irfft(np.ones((1, 2, 1), complex), 2, 1.0).ravel()
    array([1., 0.])
    """
    return transformed(IRFFT, a, points, power, empty((a.shape[0], points, a.shape[2]), a.real.dtype), points)
