"""`--check`: agreement is reported, disagreement fails and writes nothing."""
import re
import sys

import pytest

import transpiler.cli.command

WORDS = [['--grad', 'loss:argnums=0,1', '--value-and-grad', 'energy', '--grad', 'energy:argnums=-1:name=by_k'],
         ['--grad', 'scaled', '--grad', 'with_residual:has_aux', '--value-and-grad', 'with_residual:has_aux'],
         ['--jvp', 'loss:argnums=0,2', '--jvp', 'predict:argnums=0', '--jvp', 'with_residual:has_aux', '--jvp', 'energy',
          '--args', "predict: {'w': np.ones(2), 'b': 0.5}, np.ones((3, 2))"],
         ['--grad', 'generic', '--args', 'np.ones((2, 1)), np.arange(3.0)'],
         ['--grad', 'generic', '--grad', 'energy', '--args', 'np.ones(3), y=2.0', '--args', 'energy: np.ones(2), k=3.0']]


@pytest.mark.parametrize('words', WORDS)
def test_agreement(transpile, model, tmp_path, words):
    result = transpile(model, '-o', tmp_path / 'out.py', '--check', *words)
    assert (result.status, result.err) == (0, '')
    functions = words.count('--grad') + words.count('--value-and-grad') + words.count('--jvp')
    assert result.out.count('derivatives agree with finite differences') == functions
    assert not (tmp_path / '__pycache__').exists()
    assert 'model' not in sys.modules


def test_batches_agree_with_loops(transpile, model, tmp_path):
    result = transpile(model, '-o', tmp_path / 'out.py', '--check', '--vmap', 'loss:in_axes=None,0,0', '--vmap', 'energy')
    assert (result.status, result.err) == (0, '')
    assert result.out.count('3 examples agree with a loop over them') == 2
    assert 'def energy_vmap(' in (tmp_path / 'out.py').read_text()


def test_reports_go_to_stderr_when_the_code_has_stdout(transpile, model):
    result = transpile(model, '--check', '--grad', 'energy')
    assert result.status == 0 and 'agree' in result.err and 'agree' not in result.out



RETURN = re.compile(r'(?<=^    )return (.+)$', re.MULTILINE)


def spoil(monkeypatch, change):
    """Change the generated text behind the command's back."""
    right = transpiler.cli.command.assemble
    monkeypatch.setattr(transpiler.cli.command, 'assemble', lambda *args: change(right(*args)))


def test_a_wrong_gradient_is_found(transpile, model, tmp_path, monkeypatch):
    spoil(monkeypatch, lambda text: RETURN.sub(r'return 1.001 * (\1)', text))
    result = transpile(model, '-o', tmp_path / 'out.py', '--check', '--grad', 'energy')
    assert result.status == 1 and '`energy_grad` with respect to argument 0: x[0]' in result.err
    assert 'relative 0.001' in result.err
    assert not (tmp_path / 'out.py').exists()


def test_a_written_argument_is_found(transpile, model, monkeypatch):
    spoil(monkeypatch, lambda text: RETURN.sub(r'gradient = 1.0 * (\1)\n    x[:] = 0.0\n    return gradient', text))
    result = transpile(model, '--check', '--grad', 'energy')
    assert result.status == 1 and 'an argument of `energy_grad` after the call differs' in result.err


def test_a_module_that_fails_to_import(transpile, model):
    model.write_text(model.read_text() + '\n1 / 0\n')
    result = transpile(model, '--check', '--grad', 'loss')
    assert result.status == 1 and result.err == 'transpile: the module model.py raised ZeroDivisionError: division by zero\n'


def test_neighbours_of_the_module_can_be_imported(transpile, model, tmp_path):
    (tmp_path / 'neighbour.py').write_text('HALF = 0.5\n')
    model.write_text('import neighbour\n' + model.read_text())
    assert transpile(model, '--check', '--grad', 'energy').status == 0
    sys.modules.pop('neighbour')
