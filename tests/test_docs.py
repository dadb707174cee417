"""Every Python block of the documentation runs, in order, the blocks of a page sharing one namespace."""
import doctest
import linecache
import re
from pathlib import Path

import matplotlib
import pytest

import tests.all_rules  # noqa: F401
from transpiler.rules.base.registry import BATCHED, PRIMITIVES, RULES

matplotlib.use('Agg')
ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r'^```python\n(.*?)^```', re.DOTALL | re.MULTILINE)
LINK = re.compile(r'\]\((?!https?:)([^)#]+)')
FILE = re.compile(r'`([\w/.]*\w\.(?:py|cfg|ipynb))`(?: \(`([\w.]+)`\))?')     # and, in brackets, what in it is meant
FOLDER = re.compile(r'`((?:\w+/)+)`')
PAGES = [ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', *sorted((ROOT / 'docs').rglob('*.md'))]
DESIGN = [*sorted((ROOT / 'docs' / 'design').glob('*.md')), ROOT / 'docs' / 'glossary.md', ROOT / 'CONTRIBUTING.md']
FOLDERS = ('transpiler', 'kernels', 'tests', 'docs', 'notebooks', 'benchmarks')
FILES = [path for folder in FOLDERS for path in (ROOT / folder).rglob('*.*')] + [*ROOT.glob('*.*')]
SCREEN = 50


TEXTS = {page.stem: page for page in PAGES if BLOCK.search(page.read_text())}


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


def test_every_page_stands_in_the_index():
    index = ROOT / 'docs' / 'README.md'
    linked = {(index.parent / target).resolve() for target in LINK.findall(index.read_text())}
    assert set((ROOT / 'docs').rglob('*.md')) - {index} <= linked
    assert set(ROOT.glob('notebooks/*.ipynb')) <= linked


def test_the_architecture_is_one_screen():
    assert (ROOT / 'docs' / 'design' / 'architecture.md').read_text().count('\n') <= SCREEN


@pytest.mark.parametrize('page', DESIGN, ids=lambda page: page.stem)
def test_what_is_named_is_there(page):
    """Files and folders by the end of their paths; in brackets after a file, a function, class or table of it."""
    text = page.read_text()
    for name, inside in FILE.findall(text):
        found = [path for path in FILES if str(path).endswith(f'/{name}')]
        assert found, name
        for part in filter(None, inside.split('.')):
            defined = re.compile(rf'^ *(?:def|class) {part}\b|^{part}\b.*=', re.MULTILINE)
            assert any(defined.search(path.read_text()) for path in found), f'{part} in {name}'
    for name in FOLDER.findall(text):
        assert any(f'/{name}' in str(path) for path in FILES), name


@pytest.fixture
def rules_of_its_own():
    """A page may enter rules, which others shall not see."""
    before = [(table, dict(table)) for table in (RULES, PRIMITIVES, BATCHED)]
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
