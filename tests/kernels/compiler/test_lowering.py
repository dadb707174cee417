"""Elements, ranges, variables and operators in fewer words mean what Numba and NumPy mean by them."""
import itertools
import os
import re
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from transpiler_kernels.compiler.pipeline import OfKernels
from transpiler_kernels.machine.options import ARITHMETIC

RNG = np.random.default_rng(0)
DTYPES = 'float64', 'float32', 'int64', 'int8', 'uint16', 'bool', 'complex128'


def lean(function, **options):
    return numba.njit(pipeline_class=OfKernels, **ARITHMETIC, **options)(function)


def values(shape, dtype='float64'):
    return (RNG.normal(size=shape) * 10).astype(dtype)


def laid_out(array):
    """The same values in C's order, in Fortran's, and with gaps between the rows and the columns."""
    wide = np.zeros(tuple(2 * n for n in array.shape), array.dtype)
    gaps = wide[tuple(slice(None, None, 2) for _ in array.shape)]
    gaps[...] = array
    return np.ascontiguousarray(array), np.asfortranarray(array), gaps, gaps[::-1]


def read_one(x, i):
    return x[i]


def read_two(x, i, j):
    return x[i, j]


def read_three(x, i, j, k):
    return x[i, j, k]


def write_one(x, i, value):
    x[i] = value


def write_two(x, i, j, value):
    x[i, j] = value


def write_three(x, i, j, k, value):
    x[i, j, k] = value


READ, WRITE = (read_one, read_two, read_three), (write_one, write_two, write_three)


@pytest.mark.parametrize('ndim', (1, 2, 3))
@pytest.mark.parametrize('dtype', DTYPES)
def test_elements_are_those_of_numpy(ndim, dtype):
    read, write = lean(READ[ndim - 1]), lean(WRITE[ndim - 1])
    shape = (2, 3, 4)[:ndim]
    for array in laid_out(values(shape, dtype)):
        for index in itertools.product(*(range(-n, n) for n in shape)):
            assert read(array, *index) == array[index]
        index = tuple(-1 - k % 2 for k in range(ndim))
        expected = array.copy()
        expected[index] = dtype != 'bool' and array.dtype.type(3)
        write(array, *index, array.dtype.type(dtype != 'bool' and 3))
        assert np.array_equal(array, expected)


@pytest.mark.parametrize('kind', (np.int8, np.int32, np.uint8, np.uint64, np.int64))
def test_numbers_of_any_kind_say_which_element(kind):
    x = values((3, 4))
    assert lean(read_two)(x, kind(2), kind(1)) == x[2, 1]
    if np.issubdtype(kind, np.signedinteger):
        assert lean(read_two)(x, kind(-1), kind(-4)) == x[-1, -4]


def test_constants_say_which_element():
    def corners(x, y):
        y[0] = x[0, 0] - x[-1, -1] + x[1, -2]
        y[-1] = y[0] * y[1]
        return y[-1], x[0, 1], y[1]

    x = values((3, 4))
    one = values(3)
    other = one.copy()
    assert lean(corners)(x, one) == corners(x, other) and np.array_equal(one, other)


def test_numbers_are_stored_as_the_array_has_them():
    def store(f, i, c, b):
        f[0], f[1], f[2] = 7, True, 2.5
        i[0], i[1], i[2] = 7.9, True, -3
        c[0], c[1], c[2] = 1, 2.5, 1j
        b[0], b[1], b[2] = True, 3, 0.0

    made = [np.zeros(3, dtype) for dtype in ('float32', 'int8', 'complex64', 'bool')]
    expected = [array.copy() for array in made]
    lean(store)(*made)
    store(*expected)
    assert all(map(np.array_equal, made, expected))


def one_or_none(x, i, j):
    value = None
    if i < 2:
        value = x[j, i] * 2.0
    x[i, j] = value


def without_axes(x, i, j):
    x[i, j] = np.array(3.0)


def element_and_slice(x, i, j):
    place = i, j
    x[place] = x[j, i]
    x[i, j:] = x[place]


@pytest.mark.parametrize('f', (one_or_none, without_axes, element_and_slice))
def test_what_is_no_number_is_stored_where_the_index_says(f):
    x = values((3, 3))
    y = x.copy()
    lean(f)(x, 1, 2)
    f(y, 1, 2)
    assert np.array_equal(x, y)


def test_views_and_shapes_are_numbas():
    def parts(x, i):
        row, column, block = x[i], x[:, i], x[i:, 1:]
        row[0] = 5.0
        return x.shape, row.shape[0], column.sum(), block.shape, row.shape

    x = values((3, 3))
    y = x.copy()
    assert lean(parts)(x, 1) == parts(y, 1) and np.array_equal(x, y)


@pytest.mark.parametrize('step', (1, -1, 3, -3))
def test_ranges_give_pythons_numbers(step):
    def numbers(a, b):
        found = [0][:0]
        for k in range(a, b, step):
            found.append(k)
        return found

    compiled = lean(numbers)
    for a, b in itertools.product(range(-4, 9), repeat=2):
        assert compiled(a, b) == numbers(a, b)


def test_loops_within_loops_begin_anew():
    def numbers(n, step):
        found = [0][:0]
        for i in range(n):
            for j in range(i):
                if j == 3:
                    break
                found.append(10 * i + j)
            for j in range(n, i, -1):
                if j == 4:
                    continue
                found.append(-j)
            for j in range(0, n, step):
                found.append(100 * j)
        return found, i

    assert lean(numbers)(6, 2) == numbers(6, 2)
    assert lean(numbers)(1, -1) == numbers(1, -1)


def test_a_range_that_is_looked_at_is_a_range():
    def uses(n):
        numbers, total = range(2, n), 0
        for k in numbers:
            total += k
        for k in numbers:
            total += k * len(numbers)
        return total

    assert lean(uses)(7) == uses(7)


def test_numbers_survive_where_they_are_used_again():
    """A number that is let go keeps its value; one that is assigned on one path only is that, or the one before."""
    def paths(x, n):
        total, last = 0.0, -1.0
        for i in range(n):
            v = x[i]
            if v > 0.0:
                last = v
                total = total + last
            else:
                w = v * 2.0
                total = total - w
            for j in range(2):
                last = last + j
        return total, last

    x = values(9)
    assert lean(paths)(x, 9) == paths(x, 9)


def test_arrays_are_let_go_once():
    def turns(x, n):
        y = x
        for i in range(n):
            if i % 2:
                y = y + x
            else:
                z = np.zeros(3)
                z[0] = y[0]
                y = z
        return y

    compiled, x = lean(turns), np.ones(3)
    assert np.array_equal(compiled(x, 5), turns(x, 5)) and np.array_equal(compiled(x, 0), x)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(10):
        compiled(x, 5)
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0


def test_operators_are_numbas():
    def every(a, b, i, j, p):
        return (a + b, a - b, a * b, a / b, a // b, a % b, i + j, i - j, i * j, i / j, i // j, i % j, i & j, i | j, i ^ j,
                a < b, a <= b, i == j, i != j, a + i, i < b, p & (a > b), p | (i > j), a * 2, 3 - i, 2.5 * i, a == 1, 7 // i)

    given = (2.5, -0.5, 7, -3, True), (np.float32(1.5), np.float32(0.3), np.int8(5), np.int8(3), False), (1.0, 0.0, 9, 4, True)
    for arguments in given:
        plain = numba.njit(**ARITHMETIC)(every)
        np.testing.assert_equal(lean(every)(*arguments), plain(*arguments))


def test_indices_outside_are_reported_where_that_is_asked():
    with pytest.raises(IndexError):
        lean(read_two, boundscheck=True)(values((2, 3)), 0, 3)


def test_an_element_takes_few_words():
    """So that first calls stay short: Numba has 55 lines for the element and 90 for the loop."""
    def total(x, n):
        found = 0.0
        for i in range(n):
            found = found + x[i, 1]
        return found

    compiled = lean(total, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    lines = []

    def listen(self, module):
        lines.extend(line for function in module.functions for block in function.blocks for line in block.instructions)
        return add(self, module)

    library = numba.core.codegen.CPUCodeLibrary
    add, library.add_ir_module = library.add_ir_module, listen
    try:
        compiled.compile((numba.float64[:, ::1], numba.int64))
    finally:
        library.add_ir_module = add
    assert 0 < len(lines) < 70


PART = '''
import numba
import numpy as np
from transpiler_kernels.compiler.pipeline import OfKernels
from transpiler_kernels.machine.options import ARITHMETIC
from transpiler_kernels.vector_math import expf

def part(low, count, x, y, alpha):
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        x_i = x[i]
        chosen = x_i if x_i > np.float32(0) else np.float32(alpha) * expf(x_i) - np.float32(alpha)
        y[i] = np.float32(alpha) * chosen

compiled = numba.njit(pipeline_class=OfKernels, **ARITHMETIC)(part)
compiled.compile((numba.int64, numba.int64, numba.float32[::1], numba.float32[::1], numba.float64))
print(*compiled.inspect_llvm().values())
'''


def test_a_part_of_a_loop_is_vectorised():
    """Where places begin somewhere that is not negative, none of them counts from the end: LLVM sees it in these words, too.

    It would gather the elements one by one otherwise.
    """
    given = {**os.environ, 'NUMBA_OPT': '3'}
    text = subprocess.run([sys.executable, '-c', PART], env=given, capture_output=True, text=True, check=True).stdout
    assert re.search(r'fmul <\d+ x float>', text) and 'gather' not in text


MANY = ', '.join(f'a{k}' for k in range(40))


@pytest.mark.filterwarnings('error')
def test_many_arguments_are_handed_over_one_by_one():
    """Python makes a tuple of them, which Numba warns of if there is a function among them."""
    def given(function, *numbers):
        total = 0
        for k in range(len(numbers)):
            total += (k + 1) * numbers[k]
        return function(total)

    names = {'given': lean(given), 'double': lean(lambda x: 2 * x)}
    exec(f'def all_of({MANY}):\n    return given(double, {MANY})\n', names)
    numbers = [int(n) for n in RNG.integers(0, 100, 40)]
    assert lean(names['all_of'])(*numbers) == 2 * sum((k + 1) * n for k, n in enumerate(numbers))


@pytest.mark.filterwarnings('error')
def test_a_tuple_that_is_handed_over_and_kept():
    def given(*numbers):
        return numbers[0] - numbers[1]

    given = lean(given)

    def kept(x, y):
        pair = x, y
        return given(*pair) + pair[1]

    assert lean(kept)(5, 3) == 5
