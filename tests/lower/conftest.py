"""`check(text, **arguments)`: a typed core, lowered and compiled, gives what NumPy gives, in value and in dtype."""
import sys

import numpy as np
import pytest

from transpiler.backends import numba_cpu
from transpiler.core.text import parse
from transpiler.lower import lower
from transpiler.lower.target.name_separation import separate_names
from transpiler.optimize.pipeline import surface
from transpiler.source.writing.emit import emit
from transpiler.values.numbers import is_number, number_type
from transpiler.values.types import BOOL, FLOAT, INT, Array, Scalar, Tape

WEAK = {'float': FLOAT, 'int': INT, 'bool': BOOL}


def type_of(value):
    if isinstance(value, np.ndarray):
        return Array(value.dtype, (None,) * value.ndim)
    return number_type(value) if is_number(value) else None


def type_named(text):
    """`float`, `float32`, `float32[2]` (of rank 2) or `tape float32[1]`."""
    if text.startswith('tape '):
        return Tape(type_named(text[5:]))
    if text in WEAK:
        return WEAK[text]
    dtype, _, rank = text.partition('[')
    return Array(np.dtype(dtype), (None,) * int(rank[:-1])) if rank else Scalar(np.dtype(dtype))


def final_locals(source, name, arguments):
    """What the function returns in plain Python, and its variables at the end."""
    scope, known = {}, {}

    def watch(frame, event, _):
        if frame.f_code is scope[name].__code__:
            known.update(frame.f_locals)
            return watch
    exec(source, scope)
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        return scope[name](*arguments), known
    finally:
        sys.settrace(before)


def copied(arguments):
    return [copy_of(a) if isinstance(a, np.ndarray) else a for a in arguments]


def copy_of(array):
    """A copy with gaps if the array has some."""
    if array.flags.c_contiguous:
        return array.copy()
    wide = np.zeros([2 * size for size in array.shape], array.dtype)[(slice(None, None, 2),) * array.ndim]
    wide[...] = array
    return wide


def assert_same(got, want):
    assert type(got) is type(want), f'{type(got)} instead of {type(want)}'
    if isinstance(want, tuple):
        assert len(got) == len(want)
        for a, b in zip(got, want, strict=True):
            assert_same(a, b)
    elif isinstance(want, np.ndarray):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
    rtol = 1e-5 if getattr(want, 'dtype', None) in (np.float32, np.complex64) else 1e-12
    if not isinstance(want, tuple):
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol / 10)


@pytest.fixture
def check():
    def check(text, types=None, **arguments):
        kinds = {name: type_ for name, value in arguments.items() if (type_ := type_of(value)) is not None}
        plain = emit(parse(text, types=kinds, params=arguments), mode='flat')
        want, known = final_locals(plain.text, 'f', after := copied(arguments.values()))
        known = {**known, **arguments}
        inferred = {name: type_ for name, value in known.items() if (type_ := type_of(value)) is not None}
        given = {name: type_named(spec) for name, spec in (types or {}).items()}
        core = parse(text, types={**inferred, **given}, params=arguments)
        results = tuple(map(type_of, want)) if isinstance(want, tuple) else type_of(want)
        lowered = emit(separate_names(surface(lower(core))), mode='flat')
        compiled = numba_cpu.compile(lowered, results)
        got = compiled(*(mine := copied(arguments.values())))
        assert_same(got, want)
        for a, b in zip(mine, after, strict=True):
            np.testing.assert_array_equal(a, b)
        return lowered.text
    return check
