"""Tasks of one thread in the background: what is done, dropped, and left alone, and what forks and ends of processes wait for."""
import subprocess
import sys
import threading

import pytest

from transpiler.backends import background
from transpiler.backends.background import Task

LONG = 120.0


class Owner:
    pass


@pytest.fixture
def blocked():
    """The thread is at work on something until the event is set."""
    owner, begun, go = Owner(), threading.Event(), threading.Event()

    def work(owner):
        begun.set()
        assert go.wait(LONG)
    task = Task(owner, work)
    task.wanted()
    assert begun.wait(LONG)
    yield go
    go.set()
    idle()


def idle():
    while (thread := background._thread) is not None:
        thread.join(LONG)


def test_tasks_are_done_in_order_by_one_thread_which_then_ends(blocked):
    done, owner = [], Owner()
    tasks = [Task(owner, lambda own, k=k: done.append((k, own, threading.current_thread().name))) for k in range(3)]
    for task in tasks * 2:
        task.wanted()
    assert not any(task.done for task in tasks) and len(background._queue) == 3
    blocked.set()
    idle()
    assert done == [(k, owner, 'transpiler-background') for k in range(3)] and all(task.done for task in tasks)
    tasks[0].wanted()
    assert background._thread is None


def test_a_task_at_work_is_not_asked_for_again():
    runs, owner, begun, go = [], Owner(), threading.Event(), threading.Event()

    def work(owner):
        runs.append(owner)
        begun.set()
        assert go.wait(LONG)
    task = Task(owner, work)
    task.wanted()
    assert begun.wait(LONG)
    task.wanted()
    go.set()
    idle()
    task.wanted()
    idle()
    assert runs == [owner]


@pytest.mark.parametrize('stays', ['owner', 'task'])
def test_what_nobody_needs_any_more_is_dropped(blocked, stays):
    done = []
    owner = Owner()
    owner.task = Task(owner, done.append)
    owner.task.wanted()
    if stays == 'task':
        task = owner.task
    del owner
    assert len(background._queue) == (stays == 'task')
    blocked.set()
    idle()
    assert not done and not background._queue


def test_a_task_that_fails_is_done_and_the_next_one_runs(blocked):
    def fail(owner):
        raise SystemExit('no')
    owner = Owner()
    first, second = Task(owner, fail), Task(owner, id)
    first.wanted()
    second.wanted()
    blocked.set()
    idle()
    assert first.done and second.done


def test_where_there_can_be_no_thread_the_next_call_tries_again(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")
    owner = Owner()
    task = Task(owner, id)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, 'start', start)
        task.wanted()
        assert not task.done and background._thread is None
    task.wanted()
    idle()
    assert task.done


def test_a_fork_waits_for_the_task_at_work_and_not_for_the_others():
    program = '''
import os, sys, threading
from transpiler.backends import background
from transpiler.backends.background import Task
class Owner: pass
owner, begun, lock, done = Owner(), threading.Event(), threading.Lock(), []
def work(owner):
    with lock:
        begun.set()
        while not background._forks: pass
        done.append(1)
first, second = Task(owner, work), Task(owner, lambda owner: done.append(2))
first.wanted(); second.wanted(); begun.wait()
child = os.fork()
if not child:
    assert done == [1] and first.done and not second.done and background._thread is None and lock.acquire(blocking=False)
    second.wanted()
while background._thread is not None: background._thread.join()
assert done == [1, 2], done
if child:
    assert os.waitpid(child, 0)[1] == 0
'''
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stderr) == (0, '')
