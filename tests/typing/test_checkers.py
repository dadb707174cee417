"""mypy and pyright know what the public functions take and give: each finds the mistakes in `examples`, and nothing else."""
import configparser
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(Path(__file__).with_name('examples').glob('*.py'))
ERROR = re.compile(r'(?P<file>[^:\n]+):(?P<line>\d+): error:')
BIN = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get('PATH', '')])
CHECKERS = [name for name in ('mypy', 'pyright') if shutil.which(name, path=BIN)]


def run(name, *arguments):
    command = [shutil.which(name, path=BIN), *map(str, arguments), *map(str, EXAMPLES)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def mypy(cache):
    """The errors of mypy with the settings of the repository, by file and line; what it has seen already is in the cache."""
    found = ERROR.finditer(run('mypy', '--cache-dir', cache, '--no-error-summary'))
    return {(Path(error['file']).name, int(error['line'])) for error in found}


def pyright(cache):
    """The errors of pyright, by file and line."""
    said = json.loads(run('pyright', '--outputjson', '--pythonversion', '3.10', '--pythonpath', sys.executable))
    found = [one for one in said['generalDiagnostics'] if one['severity'] == 'error']
    return {(Path(error['file']).name, error['range']['start']['line'] + 1) for error in found}


@pytest.mark.parametrize('checker', [globals()[name] for name in CHECKERS])
def test_checkers_find_the_mistakes(checker, pytestconfig):
    lines = [(path, k, line) for path in EXAMPLES for k, line in enumerate(path.read_text().splitlines(), 1)]
    wrong = {(path.name, k) for path, k, line in lines if line.endswith('# wrong')}
    assert len(wrong) > 30
    assert checker(pytestconfig.cache.mkdir(f'types of {checker.__name__}')) == wrong


@pytest.mark.parametrize('path', EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path):
    runpy.run_path(str(path))


def test_the_package_says_that_it_has_types():
    setup = configparser.ConfigParser()
    setup.read(ROOT / 'setup.cfg')
    assert setup['options.package_data']['transpiler'] == 'py.typed'
    assert (ROOT / 'transpiler' / 'py.typed').exists()
