"""The limits of the house style, as tests."""
import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ('transpiler', 'kernels')
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob('*.py'))
TESTS = sorted((ROOT / 'tests').rglob('*.py'))
TEXTS = sorted([*ROOT.glob('*.md'), *(ROOT / 'docs').rglob('*.md'), *(ROOT / 'notebooks').glob('*.*'), *SOURCES, *TESTS])
LONG_FILE, LONG_FUNCTION, DEEP = 300, 50, 5
NESTED = (ast.If, ast.For, ast.While, ast.With, ast.Try)
KERNELS_MAY_IMPORT = {'numpy', 'scipy', 'numba', 'llvmlite', 'kernels', '__future__', *sys.stdlib_module_names}
MACHINE_PATH = re.compile(r'(?<![\w.])/(?:home|root|Users|work|opt|mnt)/\w')
LEFTOVER = re.compile(r'\b(?:TO' + r'DO|FIX' + r'ME|XX' + r'X|HA' + r'CK|NotImplemented' + r'Error)\b')
PICTURE = re.compile(r'"image/png": "[^"]*"')  # in a notebook: random letters
DODGED = re.compile(r'pytest\.(?:mark\.)?(?:sk' + r'ip|xf' + r'ail)')


def each(paths):
    return pytest.mark.parametrize('path', paths, ids=lambda path: str(path.relative_to(ROOT)))


def functions(path):
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


def depth(node, level=0):
    return max([level] + [depth(child, level + isinstance(child, NESTED)) for child in ast.iter_child_nodes(node)])


@each(SOURCES)
def test_files_and_functions_are_short(path):
    assert path.read_text().count('\n') <= LONG_FILE
    for function in functions(path):
        assert function.end_lineno - function.lineno < LONG_FUNCTION, function.name
        assert depth(function) <= DEEP, function.name


@each(SOURCES)
def test_imports_stand_at_the_top(path):
    for function in functions(path):
        hidden = [node.lineno for node in ast.walk(function) if isinstance(node, (ast.Import, ast.ImportFrom))]
        assert not hidden, function.name


@each([path for path in SOURCES if path.relative_to(ROOT).parts[0] == 'kernels'])
def test_kernels_import_only_numerical_libraries(path):
    for node in ast.walk(ast.parse(path.read_text())):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ''] if isinstance(node, ast.ImportFrom) else []
        assert {module.partition('.')[0] for module in modules} <= KERNELS_MAY_IMPORT


@each(SOURCES)
def test_modules_say_what_they_are(path):
    text = path.read_text()
    assert not text.strip() or ast.get_docstring(ast.parse(text))


@each(TEXTS)
def test_nothing_names_a_machine_or_is_left_over(path):
    text = PICTURE.sub('', path.read_text())
    assert not MACHINE_PATH.search(text) and not LEFTOVER.search(text) and not DODGED.search(text)
