"""Every failure is one message on stderr, the right exit status, and no file touched."""
import os
import stat

import pytest

USAGE = [
    ([], 'nothing to do'),
    (['--grad', 'loss', '--grad', 'loss:name=loss_grad'], 'would both be called `loss_grad`'),
    (['--grad', 'loss:argnum=1'], "'argnum=1' in 'loss:argnum=1' is not understood"),
    (['--grad', 'loss:argnums=a'], 'must be integers'),
    (['--grad', 'loss:name=class'], "'name=class'"),
    (['--grad', 'loss:name=predict'], 'would hide `predict`, which the module defines'),
    (['--grad', 'scaled:name=SCALE'], 'would hide `SCALE`, which the module defines'),
    (['--grad', 'loss:name=np'], 'would hide `np`, which the module imports'),
    (['--grad', '1loss'], 'does not begin with a function name'),
    (['--grad', 'loss', '--args', 'np.one(3)'], "--args 'np.one(3)' is not understood: `np.one` is no data"),
    (['--grad', 'loss', '--args', '1.0, ) + (2.0'], 'not a list of arguments'),
    (['--grad', 'loss', '--args', 'other: 1.0'], 'is for `other`'),
    (['--grad', 'loss', '--args', '1.0', '--args', '2.0'], '--args is given twice for `loss`'),
    (['--grad', 'energy', '--args', ''], "the example arguments do not fit `energy`: missing a required argument: 'x'"),
    (['--grad', 'loss', '--standalone', '--runtime'], 'not allowed with argument'),
    (['--gra', 'loss'], 'unrecognized arguments'),
]
FAILED = [
    (['--grad', 'nothing'], 'model.py defines no function `nothing`'),
    (['--grad', 'forbidden'], '`yield`'),
    (['--grad', 'generic', '--check'], 'the type of its parameter `x` is not known'),
]


@pytest.mark.parametrize('words, message', USAGE)
def test_a_wrong_command_exits_with_2(transpile, model, words, message):
    result = transpile(model, *words)
    assert (result.status, result.out) == (2, '')
    assert result.err.startswith('transpile: ') and message in result.err and result.err.count('\n') == 1


@pytest.mark.parametrize('words, message', FAILED)
def test_what_cannot_be_done_exits_with_1(transpile, model, tmp_path, words, message):
    out = tmp_path / 'out.py'
    result = transpile(model, '-o', out, *words)
    assert (result.status, result.out) == (1, '')
    assert message in result.err and 'Traceback' not in result.err
    assert not out.exists()


def test_refusals_name_the_file_as_it_was_given(transpile, model):
    result = transpile(model, '--grad', 'forbidden')
    line = model.read_text().splitlines().index('    yield x') + 1
    assert result.err.startswith(f'{model}:{line}:4: ')
    assert '    yield x\n    ^\n' in result.err


def test_a_missing_module(transpile, tmp_path):
    result = transpile(tmp_path / 'none.py', '--grad', 'loss')
    assert result.status == 2 and result.err == f'transpile: {tmp_path / "none.py"}: No such file or directory\n'


@pytest.mark.parametrize('coding', ['nope', 'rot13', 'zlib'])
def test_an_encoding_that_is_none(transpile, model, coding):
    model.write_text(f'# coding: {coding}\n')
    result = transpile(model, '--grad', 'loss')
    assert result.status == 1 and 'is not text' in result.err and result.err.count('\n') == 1


def test_long_names(transpile, model, tmp_path):
    out = tmp_path / f'{"n" * 252}.py'
    assert transpile(model, '-o', out, '--grad', 'loss').status == 0 and out.exists()


def test_files_of_others_are_not_overwritten(transpile, model, tmp_path):
    out = tmp_path / 'mine.py'
    out.write_text('precious = 1\n')
    result = transpile(model, '-o', out, '--grad', 'loss')
    assert result.status == 2 and '--force' in result.err
    assert out.read_text() == 'precious = 1\n'
    assert transpile(model, '-o', out, '--grad', 'loss', '--force').status == 0
    assert transpile(model, '-o', out, '--grad', 'energy').status == 0, 'a generated file may be replaced'
    assert 'energy_grad' in out.read_text()


@pytest.mark.parametrize('target', ['model.py', '.', 'no/such/folder.py'])
def test_outputs_that_make_no_sense(transpile, model, tmp_path, target):
    before = model.read_text()
    result = transpile(model, '-o', tmp_path / target, '--grad', 'loss', '--force')
    assert result.status == 2 and result.err.count('\n') == 1
    assert model.read_text() == before


def test_a_failed_run_keeps_the_old_output(transpile, model, tmp_path):
    out = tmp_path / 'out.py'
    assert transpile(model, '-o', out, '--grad', 'loss').status == 0
    before = out.read_bytes()
    assert transpile(model, '-o', out, '--grad', 'loss', '--grad', 'forbidden').status == 1
    assert out.read_bytes() == before


def test_an_interrupted_write_leaves_nothing_behind(transpile, model, tmp_path, monkeypatch):
    def fail(source, target):
        raise OSError(28, 'No space left on device', str(target))
    monkeypatch.setattr(os, 'replace', fail)
    result = transpile(model, '-o', tmp_path / 'out.py', '--grad', 'loss')
    assert result.status == 2 and 'No space left on device' in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ['model.py']


def test_permissions_and_links_are_kept(transpile, model, tmp_path):
    out, link = tmp_path / 'out.py', tmp_path / 'link.py'
    assert transpile(model, '-o', out, '--grad', 'loss').status == 0
    assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(model.stat().st_mode)
    out.chmod(0o640)
    link.symlink_to(out)
    assert transpile(model, '-o', link, '--grad', 'energy').status == 0
    assert link.is_symlink() and 'energy_grad' in out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def test_defects_are_reported_in_one_line(transpile, model, monkeypatch):
    def fail(*args):
        raise ZeroDivisionError('by design')
    monkeypatch.setattr('transpiler.cli.command.assemble', fail)
    result = transpile(model, '--grad', 'loss')
    assert result.status == 1 and result.err.count('\n') == 1 and 'internal error: ZeroDivisionError: by design' in result.err
    assert 'Traceback' in transpile(model, '--grad', 'loss', '--traceback').err
