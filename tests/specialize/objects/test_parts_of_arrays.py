"""Real and imaginary parts that are written as a whole: `z.real = x`, `z.imag *= 2`."""
import numpy as np
import pytest

import transpiler as tp

Z = np.array([1.0 + 2.0j, 3.0 - 1.0j, 0.5j])
WRITES = ['z.real *= 2', 'z.imag += z.real', 'z.real = 3', 'z.imag = z.real[::-1]', 'z.real += z.imag[::-1]', 'z[1:].imag -= 1',
          'z.real, w = z.imag * 2, 3', 'z.real = [1, 2, 3]', 'w = z.real; z.real += w; w *= 2', 'z = z.real.copy(); z.real *= 2']


def written(write):
    return tp.from_source(f'import numpy as np\ndef f(z):\n    {write}\n    return z\n')


@pytest.mark.compiles
@pytest.mark.parametrize('write', WRITES)
def test_parts_are_written_in_place(write):
    f, found, expected = written(write), Z.copy(), Z.copy()
    np.testing.assert_array_equal(tp.jit(f)(found), f(expected))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize('write', WRITES)
def test_parts_are_written_in_batches(write):
    f = written(write)
    np.testing.assert_array_equal(tp.vmap(f)(np.stack([Z, 2 * Z])), [f(Z.copy()), f(2 * Z)])


def test_real_numbers_have_no_imaginary_parts():
    with pytest.raises(tp.TranspileError, match='cannot change'):
        tp.jit(written('z.imag *= 2'))(np.ones(3))
