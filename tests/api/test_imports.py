"""`import transpiler` waits for nothing large, starts no thread and changes nothing of others."""
import subprocess
import sys

import pytest


def test_numba_and_scipy_are_imported_when_first_needed(tmp_path):
    file = tmp_path / 'program.py'
    file.write_text('''
import sys, threading
import numpy as np
import transpiler as tp

def waits():
    return [name for name in ('numba', 'scipy', 'llvmlite') if name in sys.modules]

print(waits(), threading.active_count())
print(tp.grad(lambda x: np.sum(np.sin(x)))(np.zeros(2))[0], waits())
print(tp.jit(lambda x: 2.0 * x)(1.0), 'numba' in sys.modules)
''')
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert done.stdout == '[] 1\n1.0 []\n2.0 True\n'


@pytest.mark.parametrize('program', [
    'import math; f = lambda x: math.erf(x) + math.lgamma(x)', 'f = lambda x: np.logaddexp(x, 0.3)',
    'f = lambda x: np.logaddexp.reduce(np.array([x, 1.0]))', 'import scipy.special; f = lambda x: scipy.special.expit(x)',
    'import scipy.linalg; f = lambda x: scipy.linalg.solve_sylvester(x * np.eye(2), np.eye(2), np.eye(2))[0, 0]'])
def test_rules_that_need_scipy_are_found(program, tmp_path):
    file = tmp_path / 'program.py'
    file.write_text(f'import numpy as np\nimport transpiler as tp\n{program}\nprint(tp.grad(f)(0.7) != 0)\n')
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert done.stdout == 'True\n'
