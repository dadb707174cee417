"""What a test run leaves out, and what it takes from earlier ones."""
from dataclasses import dataclass, field

import pytest

from tests import machine_code
from tests.conftest import not_shared


@dataclass(frozen=True)
class Item:
    nodeid: str
    keywords: frozenset[str] = field(default=frozenset())


@pytest.mark.parametrize('share', [1, 6, 400])
def test_of_a_marked_test_something_always_runs(share):
    marked = [Item(f'test_a.py::test_{name}[{k}]', frozenset({'compiles'})) for name in ('one', 'other') for k in range(50)]
    others = [Item(f'test_a.py::test_plain[jit-{k}]') for k in range(50)]
    left = {*marked, *others}.difference(not_shared([*marked, *others], share))
    assert {item.nodeid.partition('[')[0] for item in left} >= {'test_a.py::test_one', 'test_a.py::test_other'}
    assert (len(left) == 150) == (share == 1) and len(left) < 3 * 150 / share + 3
    assert left == {*marked, *others}.difference(not_shared([*others, *reversed(marked)], share))


def of_a_version(root, text):
    backends = root / 'transpiler' / 'backends'
    backends.mkdir(parents=True, exist_ok=True)
    (backends / 'options.py').write_text(text)
    return machine_code.kept(root)


def test_machine_code_is_that_of_one_version(tmp_path):
    one, other, again = (of_a_version(tmp_path, text) for text in ('x = 1', 'x = 2', 'x = 1'))
    assert one == again != other and one.is_dir() and other.is_dir()


def test_old_machine_code_goes_when_there_is_too_much(tmp_path, monkeypatch):
    monkeypatch.setattr(machine_code, 'MOST', 10)
    places = [of_a_version(tmp_path, f'x = {k}') for k in range(3)]
    for age, place in enumerate(reversed(places)):
        for k in range(6):
            (place / f'{k}.py').write_text('')
        machine_code.os.utime(place, (1e9 - age, 1e9 - age))
    assert of_a_version(tmp_path, 'x = 2') == places[2]
    assert [place.is_dir() for place in places] == [False, False, True] and len(list(places[2].iterdir())) == 6
