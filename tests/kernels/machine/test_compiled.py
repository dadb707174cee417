"""Kernels on disk: found by the next process, until any file of the package is another one."""
import importlib
import os
import pkgutil
import subprocess
import sys

import numba
import pytest
from numba.core.caching import NullCache, _Cache

import transpiler_kernels
from transpiler_kernels.linking.identity import HERE, version
from transpiler_kernels.machine import kept
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.special import exported

SCRIPT = """
import sys
from numba.core import event
from transpiler_kernels.linking import identity
if len(sys.argv) > 1:
    identity.version = lambda: sys.argv[1]

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
    assert version(tmp_path) != first and version() == version(HERE)


def test_the_options_of_a_kernel_are_not_those_of_its_first_caller():
    @kernel(cache=False)
    def inverse(x):
        """One over x."""
        return 1.0 / x

    with pytest.raises(ZeroDivisionError):
        numba.njit(lambda x: 1.0 / x)(0.0)
    assert numba.njit(lambda x: inverse(x))(0.0) == float('inf')
    assert inverse(0.0) == float('inf') and inverse.__name__ == 'inverse' and inverse.__doc__ == 'One over x.'


def caches():
    """The caches of all kernels, by name: functions, callbacks and ufuncs."""
    exported.gammaln, exported.jv, exported.betainc    # noqa: B018, made when they are asked for
    for found in pkgutil.walk_packages(transpiler_kernels.__path__, 'transpiler_kernels.'):
        for name, value in vars(importlib.import_module(found.name)).items():
            cache = getattr(getattr(value, '_dispatcher', None), 'cache', None) or getattr(value, '_cache', None)
            if isinstance(cache, _Cache):
                yield f'{found.name}.{name}', cache


def test_all_kernels_on_disk_say_what_they_are():
    """Numba's own files of two processes that save at a time may be taken for each other."""
    found = dict(caches())
    assert {'transpiler_kernels.special.exported.gammaln', 'transpiler_kernels.threads.pool.offer'} <= found.keys()
    assert {name: cache for name, cache in found.items() if not isinstance(cache, (kept.Kept, NullCache))} == {}
