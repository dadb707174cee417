"""Kernels on disk: found by the next process, until any file of the package is another one."""
import os
import subprocess
import sys

import numba
import pytest

from transpiler_kernels.machine import compiled
from transpiler_kernels.machine.compiled import kernel, version

SCRIPT = """
import sys
from numba.core import event
from transpiler_kernels.machine import compiled
if len(sys.argv) > 1:
    compiled.version = lambda: sys.argv[1]

class Listener(event.Listener):
    def on_start(self, told):
        pass
    def on_end(self, told):
        print(told.data['dispatcher'].py_func.__name__)

with event.install_listener('numba:compile', Listener()):
    from transpiler_kernels.memory.allocation import zeros
    import numba, numpy as np
    assert numba.njit(lambda n: zeros((n,), np.float64)[0])(3) == 0.0
"""


@pytest.mark.parametrize('versions, expected', [((), []), (('another',), ['zeros'])], ids=['the same', 'another'])
def test_only_kernels_of_this_version_are_taken_from_disk(tmp_path, versions, expected):
    environment = {**os.environ, 'NUMBA_CACHE_DIR': str(tmp_path)}

    def kernels_compiled(*arguments):
        command = [sys.executable, '-c', SCRIPT, *arguments]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
        return [name for name in done.stdout.split() if name != '<lambda>']

    assert kernels_compiled() == ['zeros']
    assert kernels_compiled(*versions) == expected


def test_the_version_is_what_stands_in_all_files(tmp_path):
    (tmp_path / 'inner').mkdir()
    (tmp_path / 'inner' / 'one.py').write_text('x = 1\n')
    first = version(tmp_path)
    (tmp_path / 'inner' / 'one.py').write_text('x = 2\n')
    version.cache_clear()
    assert version(tmp_path) != first and version() == version(compiled.HERE)


def test_the_options_of_a_kernel_are_not_those_of_its_first_caller():
    @kernel(cache=False)
    def inverse(x):
        """One over x."""
        return 1.0 / x

    with pytest.raises(ZeroDivisionError):
        numba.njit(lambda x: 1.0 / x)(0.0)
    assert numba.njit(lambda x: inverse(x))(0.0) == float('inf')
    assert inverse(0.0) == float('inf') and inverse.__name__ == 'inverse' and inverse.__doc__ == 'One over x.'
