"""Every Python block of the documentation runs, in order, the blocks of a page sharing one namespace."""
import doctest
import linecache
import re
from pathlib import Path

import matplotlib
import pytest

from transpiler.rules.base.registry import PRIMITIVES, RULES

matplotlib.use('Agg')
ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r'^```python\n(.*?)^```', re.DOTALL | re.MULTILINE)
LINK = re.compile(r'\]\((?!https?:)([^)#]+)')
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').rglob('*.md'))]


TEXTS = {page.stem: page for page in PAGES if BLOCK.search(page.read_text())}


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


@pytest.fixture
def rules_of_its_own():
    """A page may enter rules, which others shall not see."""
    before = [(table, dict(table)) for table in (RULES, PRIMITIVES)]
    yield
    for table, entries in before:
        table.clear()
        table.update(entries)


@pytest.mark.parametrize('page', TEXTS)
def test_page(page, tmp_path, monkeypatch, rules_of_its_own):
    monkeypatch.chdir(tmp_path)
    text = TEXTS[page].read_text()
    if '>>> ' in text:
        result = doctest.testfile(str(TEXTS[page]), module_relative=False, optionflags=doctest.ELLIPSIS)
        assert result.attempted and not result.failed
        return
    namespace: dict = {'__name__': 'docs'}
    for number, block in enumerate(BLOCK.findall(text)):
        file = f'<{page} block {number}>'
        linecache.cache[file] = (len(block), None, block.splitlines(keepends=True), file)
        exec(compile(block, file, 'exec'), namespace)
