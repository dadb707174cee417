"""`transpile --lint`: what it prints, and how it exits."""
from pathlib import Path

ROOT = Path(__file__).parents[2]
STEPS = '''import numpy as np


def bucket(z):
    return np.floor(z)


def loss(x: 'float64[n]', scale: float = 2.0):
    return np.sum(x * bucket(x)) * scale


def plain(x: float):
    if x > 0.0:
        return x * x
    return x


def main():
    with open('data') as file:
        print(file)
'''


def test_warnings_exit_with_1(transpile, tmp_path):
    path = tmp_path / 'steps.py'
    path.write_text(STEPS)
    result = transpile('--lint', f'{path}:loss')
    assert (result.status, result.err) == (1, '')
    assert result.out == f'''{path}:5:11: warning: `np.floor` cuts the derivative by `x` [cut]
    return np.floor(z)
           ^
  why: it is constant between its steps: its derivative is zero
  instead: leave it out, or use it for indices only
1 warning in 1 function
'''


def test_a_whole_module(transpile, tmp_path):
    path = tmp_path / 'steps.py'
    path.write_text(STEPS)
    result = transpile('--lint', path)
    assert result.status == 1 and result.out.endswith('1 warning and 2 notes in 4 functions\n')
    assert result.out.count('[cut]') == 1, 'a helper is spoken of once'
    assert '[kink]' in result.out and '`main` is not examined further' in result.out


def test_no_warnings_exit_with_0(transpile, tmp_path):
    path = tmp_path / 'steps.py'
    path.write_text(STEPS)
    result = transpile('--lint', f'{path}:plain')
    assert result.status == 0 and '[kink]' in result.out
    assert transpile('--lint', ROOT / 'notebooks' / 'digits.py').status == 0
    assert transpile('--lint', ROOT / 'tests' / 'targets.py').status == 0


def test_what_is_refused_is_a_warning_where_it_was_asked_for(transpile, tmp_path):
    path = tmp_path / 'steps.py'
    path.write_text(STEPS)
    result = transpile('--lint', f'{path}:main')
    assert result.status == 1 and '[refused]' in result.out


def test_examples_give_types(transpile, tmp_path):
    path = tmp_path / 'm.py'
    path.write_text('def power(x, n):\n    x *= n\n    return x\n')
    assert transpile('--lint', f'{path}:power').status == 1
    assert transpile('--lint', f'{path}:power', '--args', '2.0, 3').status == 0


def test_wrong_commands_exit_with_2(transpile, model):
    assert transpile('--lint', model, '--grad', 'loss').status == 2
    assert transpile('--lint', 'missing.py').status == 2
    assert transpile('--lint', f'{model}:nothing').status == 1
