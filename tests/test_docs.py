"""Every Python block of the documentation runs, in order, the blocks of a page sharing one namespace."""
import doctest
import linecache
import re
from pathlib import Path

import matplotlib
import pytest

matplotlib.use('Agg')
ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r'^```python\n(.*?)^```', re.DOTALL | re.MULTILINE)
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').rglob('*.md'))]


TEXTS = {page.stem: page for page in PAGES if BLOCK.search(page.read_text())}


@pytest.mark.parametrize('page', TEXTS)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = TEXTS[page].read_text()
    if '>>> ' in text:
        assert doctest.testfile(str(TEXTS[page]), module_relative=False, optionflags=doctest.ELLIPSIS).failed == 0
        return
    namespace: dict = {'__name__': 'docs'}
    for number, block in enumerate(BLOCK.findall(text)):
        file = f'<{page} block {number}>'
        linecache.cache[file] = (len(block), None, block.splitlines(keepends=True), file)
        exec(compile(block, file, 'exec'), namespace)
