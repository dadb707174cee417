"""Large kernels, and Numba's own functions, are called by symbols: in this process, and in those that read programs from disk."""
import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from llvmlite.binding import parse_assembly

import transpiler as tp
from transpiler_kernels.linear_algebra.stacks import solve
from transpiler_kernels.linking import identity, libraries, objects
from transpiler_kernels.linking.identity import lasting
from transpiler_kernels.machine.options import ARITHMETIC, BARE
from transpiler_kernels.memory.allocation import zeros

PROGRAM = """
import sys
import numpy as np
from numba.core import event
import transpiler as tp

class Listener(event.Listener):
    def on_start(self, told):
        pass
    def on_end(self, told):
        print('compiled', told.data['dispatcher'].py_func.__qualname__, *told.data['args'])

def once(a, b):
    return np.linalg.solve(a, b).reshape(-1)

def twice(a, b):
    return np.linalg.solve(a, np.linalg.solve(a, b)).reshape(-1) + 1.0

a, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([[3.0], [4.0]])
for name in sys.argv[1:]:
    with event.install_listener('numba:compile', Listener()):
        result = tp.jit(globals()[name])(a, b)
    print(result.tolist())
    try:
        tp.jit(globals()[name])(np.zeros((2, 2)), b)
    except np.linalg.LinAlgError as error:
        print(error)

from transpiler_kernels.linking import objects
assert objects._loaded and not any('generated' in symbol for symbol in objects._loaded)     # programs come and go
"""
PLAIN = """
import sys, warnings
import numpy as np, numba
from transpiler_kernels.linear_algebra.stacks import solve

@numba.njit(cache=True)
def solved(a, b):
    return solve(a, b)[0, 0]

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter('always')
    print(solved(np.eye(2) * 2.0, np.ones((2, 1))), len(solved.stats.cache_hits), len(told))
"""


def in_new_process(text, folder, *arguments, kernels='kernels'):
    places = {'TRANSPILER_CACHE_DIR': str(folder / 'programs'), 'NUMBA_CACHE_DIR': str(folder / kernels)}
    (folder / 'program.py').write_text(text)
    command = [sys.executable, str(folder / 'program.py'), *arguments]
    done = subprocess.run(command, env=os.environ | places, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


EXPECTED = [['[1.0, 1.0]', 'Singular matrix'], ['[1.4, 1.2]', 'Singular matrix']]


def of_functions(told, word):
    return {line for line in told if line.startswith('compiled') and word in line}


def test_programs_on_disk_have_the_kernels_that_they_call(tmp_path):
    first = in_new_process(PROGRAM, tmp_path, 'once')
    assert of_functions(first, 'solve') and first[-2:] == EXPECTED[0]
    # no kernel is on disk but those that are kept with the program
    then = in_new_process(PROGRAM, tmp_path, 'once', 'twice', kernels='none')
    end = then.index(EXPECTED[0][0])
    assert not of_functions(then[:end], 'once') and not of_functions(then[:end], 'solve')
    assert of_functions(then[end:], 'solve') and then[end:][:2] + then[-2:] == sum(EXPECTED, [])
    third = in_new_process(PROGRAM, tmp_path, 'once', 'twice', kernels='none')
    assert not of_functions(third, 'solve') and third[-4:] == sum(EXPECTED, [])


def test_functions_of_numba_are_kept_for_other_programs(tmp_path):
    first = in_new_process(PROGRAM, tmp_path, 'once')
    assert of_functions(first, 'reshape')
    other = in_new_process(PROGRAM, tmp_path, 'twice')
    assert not of_functions(other, 'reshape') and of_functions(other, 'twice') and other[-2:] == EXPECTED[1]


def test_what_others_compile_with_numba_keeps_no_symbols(tmp_path):
    """It would end the next process, which does not know where they are."""
    for _ in range(2):
        assert in_new_process(PLAIN, tmp_path) == ['0.5 0 1']


def test_what_others_compile_is_compiled_by_numba_alone():
    @tp.jit
    def ours(x):
        return np.reshape(x, (2, 2)).T.copy()

    @numba.njit(nogil=True, error_model='numpy')
    def theirs(x):
        return np.reshape(x, (2, 2)).T.copy()

    x = np.arange(4.0)
    assert ours(x).tolist() == theirs(x).tolist() == [[0.0, 2.0], [1.0, 3.0]]
    assert 'overloads' not in theirs.inspect_llvm(theirs.signatures[0])


def module_of(function, *args):
    """The module of what is compiled for arguments."""
    compiled = numba.njit(function)
    compiled(*args)
    return parse_assembly(compiled.inspect_llvm(compiled.signatures[0]))


def test_large_kernels_are_declared_and_small_ones_copied():
    large = module_of(lambda a, b: solve(a, b), np.eye(2), np.ones((2, 1)))
    assert any('stacks5solve' in one.name and one.is_declaration for one in large.functions)
    small = module_of(lambda n: zeros((n,), np.float64), 3)
    assert not any('allocation' in one.name and one.is_declaration for one in small.functions)


def test_what_is_needed_comes_behind_what_it_needs_itself():
    module = module_of(lambda a, b: solve(a, b), np.eye(2), np.ones((2, 1)))
    needed = objects.needed(module)
    assert needed and len(set(needed)) == len(needed)
    for place, (_, one) in enumerate(objects.objects(needed).items()):
        assert set(one.needed) <= set(needed[:place])


@pytest.mark.parametrize('size', [1, libraries.LARGE + 10])
def test_one_function_compiled_twice_has_one_symbol_and_runs(size):
    """As where two ask for one function of Numba's with other flags."""
    text = 'def f(x):\n' + ''.join(f'    x[{k}] = x[{k}] + {k}.5\n' for k in range(size)) + '    return x[0]\n'
    names = {}
    exec(compile(text, str(identity.HERE / 'not_there.py'), 'exec'), names)
    first, second = (numba.njit(**ARITHMETIC, **BARE)(names['f']) for _ in range(2))
    one, other = numba.njit(lambda x: first(x)), numba.njit(lambda x: second(x) + first(x))
    x = np.zeros(size)
    assert (one(x), other(x), x[-1]) == (0.5, 1.0 + 1.5, 3 * (size - 0.5))


def test_functions_last_that_show_all_that_they_are():
    def made(value):
        text = 'def outer(value):\n    def inner():\n        return value\n    return inner\n'
        names = {}
        exec(compile(text, str(identity.HERE / 'not_there.py'), 'exec'), names)
        return names['outer'](value)

    assert lasting(made(1)) == lasting(made(1)) != lasting(made(2))
    assert lasting(made(1)) != lasting(made(1.0)) != lasting(made(np.float64(1.0)))
    assert lasting(made((1, numba.float64))) is not None
    assert lasting(made(object())) is lasting(made([1])) is lasting(lambda: 1) is None


def test_addresses_of_this_process_are_not_shared():
    library = numba.njit(lambda x: x + 1.0)
    library(1.0)
    (result,) = library.overloads.values()
    result.library._dynamic_globals += [libraries.MARK]
    libraries.unmark(result.library)
    assert not result.library.has_dynamic_globals
    result.library._dynamic_globals += [libraries.MARK, 'numba.dynamic.globals.1']
    libraries.unmark(result.library)
    assert result.library.has_dynamic_globals
