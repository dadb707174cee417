"""Every pass on small programs, before and after, as files that a reviewer reads."""
from pathlib import Path

import pytest

from tests.optimize.cases import CASES
from transpiler.core.text import parse
from transpiler.passes import checking
from transpiler.source.writing.emit import emit

GOLDEN = Path(__file__).parent.parent / 'golden' / 'optimize'


@pytest.mark.parametrize('name', CASES)
def test_golden(name, golden):
    case = CASES[name]
    core = parse(case.text, types=case.types, temporaries=case.temporaries, params=case.params)
    with checking():
        after = case.change(core)
    text = ''.join(f'# {title}\n{emit(version).text}\n\n' for title, version in [('before', core), ('after', after)])
    golden(GOLDEN / f'{name}.py', text.rstrip() + '\n')
