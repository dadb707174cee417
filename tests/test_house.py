"""The limits of the house style, as tests."""
import ast
import inspect
import io
import pkgutil
import re
import sys
import tokenize
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import transpiler
from transpiler.lower.context.registry import lowering_of
from transpiler_kernels import arrays

ROOT = Path(__file__).parents[1]
PACKAGES = ('transpiler', 'kernels')
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob('*.py'))
TESTS = sorted((ROOT / 'tests').rglob('*.py'))
TEXTS = sorted([*ROOT.glob('*.md'), *(ROOT / 'docs').rglob('*.md'), *(ROOT / 'notebooks').glob('*.*'), *SOURCES, *TESTS])
LONG_FILE, LONG_FUNCTION, DEEP = 300, 50, 5
NESTED = (ast.If, ast.For, ast.While, ast.With, ast.Try)
KERNELS_MAY_IMPORT = {'numpy', 'scipy', 'numba', 'llvmlite', 'transpiler_kernels', '__future__', *sys.stdlib_module_names}
MACHINE_PATH = re.compile(r'(?<![\w.])/(?:home|root|Users|work|opt|mnt)/\w')
LEFTOVER = re.compile(r'\b(?:TO' + r'DO|FIX' + r'ME|XX' + r'X|HA' + r'CK|NotImplemented' + r'Error)\b')
PICTURE = re.compile(r'"image/png": "[^"]*"')  # in a notebook: random letters
MANY_METHODS, MANY_BASES, FULL_ROOM = 30, 2, 15
ROOMS = sorted(path.parent for path in (ROOT / 'transpiler').glob('*/*/__init__.py'))
# what a loop does once is an iteration; "in turn", "turns out", "turns a into b" are English
TURN = re.compile(r"(?<![\w.'`<])[Tt]urns?\b(?![`'(\]])")
ENGLISH = re.compile(r'in (?:its )?turn\b|turns? out\b|may turn\b|turns? (?:infinite|into|them|signs|transposes)\b'
                     r'|(?:their|its) turn comes|take turns|Turn (?:the|an?|`)|(?:` |\bit )turns\b')
# `kernels.MODULE.NAME` is a helper of a target, `kernels.NAME` a primitive of the language: `transpiler/core/helpers.py`
HELPER, PRIMITIVE = re.compile(r'\bkernels\.(?:\w+\.|\{)'), re.compile(r'kernels\.(\w+)')
TARGETS = ROOT / 'transpiler' / 'lower' / 'target'
DODGED = re.compile(r'pytest\.(?:mark\.)?(?:sk' + r'ip|xf' + r'ail)')


def each(paths):
    """One test of all these files together, which names those that are not as they should be."""
    def mark(check):
        def of_all():
            found = []
            for path in paths:
                try:
                    check(path)
                except AssertionError as wrong:
                    found.append(f'{path.relative_to(ROOT)}: {wrong}')
            if found:
                pytest.fail('\n'.join(found), pytrace=False)
        of_all.__doc__ = check.__doc__
        return of_all
    return mark


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def functions(path):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]


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
    for node in ast.walk(tree_of(path)):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ''] if isinstance(node, ast.ImportFrom) else []
        assert {module.partition('.')[0] for module in modules} <= KERNELS_MAY_IMPORT


@each(SOURCES)
def test_modules_say_what_they_are(path):
    assert not path.read_text().strip() or ast.get_docstring(tree_of(path))


@each(TEXTS)
def test_nothing_names_a_machine_or_is_left_over(path):
    text = PICTURE.sub('', path.read_text())
    assert not MACHINE_PATH.search(text) and not LEFTOVER.search(text) and not DODGED.search(text)


def texts_in(path):
    """The texts in the code of a file, without docstrings; places of formatted ones are written `{}`."""
    tree = tree_of(path)
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for node in formatted for part in node.values}
    inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    plain = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in inside]
    joined = [''.join(str(getattr(part, 'value', '')) if isinstance(part, ast.Constant) else '{}' for part in node.values)
              for node in formatted]
    return [text for text in [*plain, *joined] if isinstance(text, str)]


@each([path for path in SOURCES if path.relative_to(ROOT).parts[0] == 'transpiler' and TARGETS not in path.parents])
def test_targets_alone_name_their_helpers(path):
    assert not [text for text in texts_in(path) if HELPER.search(text)]
    in_lower = path.relative_to(ROOT).parts[1] == 'lower'
    assert not in_lower or not [name for name in imported(path) if name.startswith('transpiler_kernels')]


def test_primitives_of_the_language_are_entered():
    """Each is one that generated Python imports, or that lowering has a form of: no other name stands for a helper."""
    found = {name for path in SOURCES if path.relative_to(ROOT).parts[0] == 'transpiler'
             for text in texts_in(path) for name in PRIMITIVE.findall(text) if text == f'kernels.{name}'}
    unknown = {name for name in found if not hasattr(arrays, name) and lowering_of(f'kernels.{name}') is None}
    assert len(found) > 20 and not unknown


def modules():
    return [import_module(found.name) for found in pkgutil.walk_packages(transpiler.__path__, 'transpiler.')
            if not found.name.startswith(('transpiler.__main__', 'transpiler.backends.generated.'))]


def test_classes_have_their_parts_instead_of_inheriting_them():
    """No class has more than so many methods (special ones apart), and none but errors inherits more than once."""
    kinds = {kind for module in modules() for kind in vars(module).values()
             if inspect.isclass(kind) and kind.__module__ == module.__name__}
    assert len(kinds) > 300
    for kind in kinds:
        own = [name for name, member in vars(kind).items() if not (name.startswith('__') and name.endswith('__'))
               and (inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod)))]
        assert len(own) <= MANY_METHODS, kind
        bases = [base for base in kind.__mro__ if base.__module__.startswith('transpiler')]
        assert len(bases) <= MANY_BASES or issubclass(kind, Exception), kind


def test_every_module_is_imported_by_another():
    """Rules and lowerings are entered by an import: a module that nothing imports has lost its own."""
    used = {name for path in SOURCES for name in imported(path)}
    entries = {f'transpiler.{name}' for name in ('__main__', 'rules.base.listing')}
    files = {'.'.join(path.relative_to(ROOT).with_suffix('').parts) for path in SOURCES
             if path.name != '__init__.py' and path.relative_to(ROOT).parts[0] == 'transpiler'}
    assert sorted(files - used - entries) == []


def imported(path):
    """The modules that a file imports, perhaps later, by their names."""
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Import(names=found):
                yield from (alias.name for alias in found)
            case ast.ImportFrom(module=str(package), names=found):
                yield package
                yield from (f'{package}.{alias.name}' for alias in found)
            case ast.Constant(value=str(text)):
                yield text
            case ast.Call(func=ast.Name(id='deferred'), args=[_, ast.Tuple(elts=found)]):
                package = '.'.join(path.relative_to(ROOT).parent.parts)
                yield from (f'{package}.{module.value}' for module in found)


@each(ROOMS)
def test_rooms_are_of_a_size_to_look_over(path):
    files = [file for file in path.glob('*.py') if file.name != '__init__.py']
    assert len(files) <= FULL_ROOM or path.name == 'generated'


@each([path for path in SOURCES if path.relative_to(ROOT).parts[0] == 'transpiler'])
def test_what_a_loop_does_once_is_an_iteration(path):
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.COMMENT or token.type == tokenize.STRING and token.string.startswith('"""'):
            lines, example = [], False
            for line in token.string.split('\n'):
                example = line.strip().startswith('>>>') or example and bool(line.strip())
                lines += [] if example else [ENGLISH.sub('', line)]
            assert not TURN.search('\n'.join(lines)), token.start
