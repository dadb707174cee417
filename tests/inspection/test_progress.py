"""Progress of long first calls: what it says, where it shows, and that nobody else notices."""
import io
import sys
import threading

import numpy as np
import pytest

import transpiler as tp
from transpiler import stages
from transpiler.inspection.progress import VARIABLE, Progress, on_stderr
from transpiler.stages import CACHE, LOWER, TRANSFORM, stage

LONG = 60.0


@pytest.fixture
def watched(monkeypatch):
    """Sets who watches stages, for one test."""
    monkeypatch.setattr(stages, '_watch', stages._watch)
    return stages.watched_by


@pytest.fixture
def lines(watched):
    """What is said in the end of each stage, as soon as any is entered."""
    found = []

    def show(said, over):
        assert over.wait(LONG)
        found.append(said())
    watched(Progress(lambda: show, soon=0.0))
    return found


def test_a_first_call(lines):
    f = tp.jit(tp.grad(lambda x: np.sum(np.sin(x) * 17.25)), cache=False)
    f(np.ones(3))
    assert {line.partition(': ')[0] for line in lines} == {'jit of grad of <lambda>'}
    said = [line.partition(': ')[2].partition(',')[0] for line in lines]
    assert said == sorted(said, key=lambda doing: doing[-7:]) and said[0] == 'transforming (step 1 of 3)'
    assert 'lowering (step 2 of 3)' in said and said[-1] == 'compiling (step 3 of 3)'
    assert 'at `function_grad` (' in lines[-1] and ' function' in lines[-1]
    lines.clear()
    f(np.ones(4))
    assert not lines


def test_stages_that_belong_to_other_first_calls(lines):
    def named(name, title, own):
        return stage(name, lambda: title if name == TRANSFORM else own)(lambda: None)
    for name, title, own in [(TRANSFORM, 'first', ''), (TRANSFORM, 'grad of second', ''), (LOWER, '', 'second_grad'),
                             (CACHE, '', 'second_grad'), (CACHE, '', 'third')]:
        named(name, title, own)()
    assert [line.partition(': ')[0] for line in lines] == ['first', 'grad of second', 'grad of second', 'grad of second', 'third']


def test_what_is_short_shows_nothing(watched):
    shown = []
    watched(Progress(lambda: lambda said, over: shown.append(said()), soon=LONG))
    threads = threading.active_count()
    assert stage(LOWER, lambda x: 'loss')(lambda x: 2 * x)(3) == 6
    assert not shown and threading.active_count() == threads


def test_what_is_long_shows_while_it_lasts(watched):
    seen, shown = [], threading.Event()

    def show(said, over):
        seen.append(said())
        shown.set()
        assert over.wait(LONG)
        seen.append('over')

    def fails():
        assert shown.wait(LONG)
        raise ValueError
    watched(Progress(lambda: show, soon=0.0))
    with pytest.raises(ValueError):
        stage(LOWER, lambda: 'loss')(fails)()
    assert seen[-1] == 'over' and 'loss' in seen[0]


def test_other_threads_and_those_who_time_stages_see_nothing(lines):
    work = stage(LOWER, lambda: 'loss')(lambda: None)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(LONG)
    with stages.clocked(stages.Clock()) as clock:
        work()
    assert not lines and clock.times(LOWER) == 1


def test_a_terminal_that_has_gone_is_no_failure(watched):
    def show(said, over):
        raise BrokenPipeError
    watched(Progress(lambda: show, soon=0.0))
    assert stage(LOWER, lambda: 'loss')(lambda: 5)() == 5


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    pass


Notebook.__module__ = 'ipykernel.iostream'


@pytest.mark.parametrize('stream, environment, shows', [
    (Terminal(), {}, True), (Notebook(), {}, True), (io.StringIO(), {}, False), (None, {}, False),
    (Terminal(), {VARIABLE: '0'}, False), (Notebook(), {VARIABLE: '0'}, False), (Terminal(), {'TERM': 'dumb'}, False),
    (io.StringIO(), {'FORCE_COLOR': '1'}, False)])
def test_where_it_shows(monkeypatch, stream, environment, shows):
    monkeypatch.delenv(VARIABLE, raising=False)
    for name, value in {'TERM': 'xterm', **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, 'stderr', stream)
    assert (on_stderr() is not None) == shows


@pytest.mark.parametrize('stream', [Terminal, Notebook])
def test_the_line_goes_again(monkeypatch, stream):
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.delenv(VARIABLE, raising=False)
    stream, over = stream(), threading.Event()
    monkeypatch.setattr(sys, 'stderr', stream)
    asked = []

    def said():
        asked.append(sys.stderr is stream)
        if len(asked) > 1:
            over.set()
        return 'grad of [loss]: compiling'
    on_stderr()(said, over)
    text = stream.getvalue()
    assert all(asked) and 'grad of [loss]: compiling' in text
    gone = f'\r{" " * 25}\r' if isinstance(stream, Notebook) else '\x1b[1A\x1b[2K'
    assert text.endswith(gone)
