"""A module to transpile, and the command run in this process."""
from dataclasses import dataclass

import pytest

from transpiler import cli

MODEL = '''"""A module that must not be run."""
import numpy as np

SCALE = 2.0


def predict(params, x):
    return np.tanh(x @ params['w'] + params['b'])


def loss(params: "{'w': float64[d], 'b': float64}", x: 'float64[n, d]', y: 'float64[n]'):
    error = predict(params, x) - y
    return np.mean(error * error)


def energy(x: 'float64[n]', k: float = 0.5):
    return k * np.sum(x * x)


def scaled(x: 'float64[n]'):
    return SCALE * np.sum(x ** 3)


def with_residual(x: 'float64[n]'):
    return np.sum(x * x), x - 1.0


def generic(x, y):
    return np.sum(x * y)


def forbidden(x):
    yield x
'''


@dataclass
class Result:
    status: int
    out: str
    err: str


@pytest.fixture
def model(tmp_path):
    """The path of a module, alone in a folder."""
    path = tmp_path / 'model.py'
    path.write_text(MODEL)
    return path


@pytest.fixture
def transpile(capsys):
    """`transpile(*words)` runs the command."""
    def run(*words):
        capsys.readouterr()
        status = cli.main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)
    return run
