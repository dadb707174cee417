"""What is installed has names that collide with nobody's: a well-known package is called `kernels`."""
import os
import subprocess
import sys
from importlib.metadata import distribution

PROGRAM = '''
import kernels
import numpy as np
import transpiler as tp
import transpiler_kernels

print(kernels.__file__ != transpiler_kernels.__file__, kernels.CUDAProperties(75, 90).min_capability)
print(tp.grad(lambda x, y: np.sum(x * y))(np.ones((2, 3)), np.ones(3)).tolist())     # calls transpiler_kernels.arrays.unbroadcast
print(tp.jit(tp.grad(lambda x: np.sum(np.sin(x))))(np.zeros(3)).tolist())
'''


def test_both_packages_run_in_one_environment(tmp_path):
    file = tmp_path / 'program.py'
    file.write_text(PROGRAM)
    elsewhere = {key: value for key, value in os.environ.items() if key != 'PYTHONPATH'}
    done = subprocess.run([sys.executable, file], cwd=tmp_path, env=elsewhere, capture_output=True, text=True, check=True)
    assert done.stdout == 'True 75\n[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]\n[1.0, 1.0, 1.0]\n'


def test_the_distribution_has_its_own_name():
    assert distribution('transpiler-ad').metadata['Name'] == 'transpiler-ad'
