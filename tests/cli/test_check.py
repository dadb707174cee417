"""`--check`: agreement is reported, disagreement fails and writes nothing."""
import re
import sys

import numpy as np
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
    expected = f'{model}:35:0: the module model.py raised ZeroDivisionError: division by zero\n    1 / 0\n    ^\n'
    assert result.status == 1 and result.err == expected


def test_neighbours_of_the_module_can_be_imported(transpile, model, tmp_path):
    (tmp_path / 'neighbour.py').write_text('HALF = 0.5\n')
    model.write_text('import neighbour\n' + model.read_text())
    assert transpile(model, '--check', '--grad', 'energy').status == 0
    sys.modules.pop('neighbour')


ENDS = {
    'import sys\nsys.exit(0)\n': 'ends the process (SystemExit: 0)',
    'raise SystemExit\n': 'ends the process',
    'class Odd(BaseException): pass\n\nraise Odd("by design")\n': 'raised Odd: by design',
    'import nowhere_at_all\n': "raised ModuleNotFoundError: No module named 'nowhere_at_all'",
}


@pytest.mark.parametrize('lines', ENDS)
def test_a_module_that_ends_the_process_is_named(transpile, model, tmp_path, lines):
    model.write_text(model.read_text() + lines)
    result = transpile(model, '--check', '--grad', 'loss', '-o', tmp_path / 'out.py')
    assert result.status == 1 and f'the module model.py {ENDS[lines]}' in result.err and f'{model}:' in result.err
    assert not (tmp_path / 'out.py').exists()


def test_a_module_sees_no_options_of_the_command(transpile, model):
    model.write_text(model.read_text() + 'import argparse\nargparse.ArgumentParser().parse_args()\n')
    assert transpile(model, '--check', '--grad', 'loss').status == 0


def test_an_error_in_a_function_is_found_at_its_line(transpile, model):
    model.write_text(model.read_text() + '\n\ndef failing(x: "float64[n]", k=7):\n    return helper(x[k])\n\n\n'
                                         'def helper(x):\n    return x * x\n')
    result = transpile(model, '--check', '--grad', 'failing')
    assert result.status == 1 and '`failing` raised IndexError' in result.err and 'return helper(x[k])\n    ^' in result.err


@pytest.mark.parametrize('arguments', ['np.float32(3), 2.0', '2.0, np.float32(3)', 'np.ones(3, np.float32), 2.0', '2.0, 3.0'])
@pytest.mark.parametrize('option', ['--grad', '--jvp'])
def test_numbers_of_several_precisions(transpile, model, option, arguments):
    assert transpile(model, '--check', option, 'generic:argnums=0,1', '--args', arguments).status == 0


def test_text_among_the_arguments(transpile, model):
    model.write_text(model.read_text() + '\n\ndef chosen(p):\n    w = p["w"]\n    if p["mode"] == "fast":\n        w = w * 2.0\n'
                                         '    return np.sum(w * w)\n')
    result = transpile(model, '--check', '--grad', 'chosen', '--args', "{'w': np.ones(3), 'mode': 'fast'}")
    assert result.status == 0
    namespace = {}
    exec(result.out, namespace)
    with pytest.raises(ValueError, match="generated for p.'mode'.='fast'"):
        namespace['chosen_grad']({'w': np.ones(3), 'mode': 'slow'})


STARS = '''

def joined(x, *rest, k=1.0, **more):
    return np.sum(x) * rest[0] * k * more.get('z', 1.0)
'''


@pytest.mark.parametrize('option', ['--grad', '--value-and-grad', '--jvp', '--vmap'])
@pytest.mark.parametrize('arguments', ['np.ones(3), 2.0, k=3.0, z=4.0', 'np.ones(3), 2.0', 'np.ones(3), 2.0, 3.0'])
def test_arguments_of_star_parameters(transpile, model, option, arguments):
    model.write_text(model.read_text() + STARS)
    result = transpile(model, '--check', option, 'joined', '--args', arguments)
    assert result.status == 0, result.err


def test_options_that_were_not_there_are_refused(transpile, model):
    model.write_text(model.read_text() + STARS)
    namespace = {}
    exec(transpile(model, '--grad', 'joined', '--args', 'np.ones(3), 2.0').out, namespace)
    assert np.array_equal(namespace['joined_grad'](np.ones(3), 2.0), [2.0, 2.0, 2.0])
    with pytest.raises(ValueError, match='generated for the options'):
        namespace['joined_grad'](np.ones(3), 2.0, z=4.0)
