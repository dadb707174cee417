"""`docs/numpy.md`: the functions of the registry as tables. `python -m transpiler.rules.base.listing` prints it."""
from __future__ import annotations

import importlib
from collections.abc import Iterable
from itertools import groupby

from transpiler.rules.base.lookup import LATER
from transpiler.rules.base.missing import MISSING, PARTLY
from transpiler.rules.base.registry import REQUIRED, RULES, Rule, batching_of

OPENING = '''# NumPy and SciPy functions

Written by `python -m transpiler.rules.base.listing` from the registry of rules; a test holds this page to it.

Every function here has both modes of differentiation, to any order, runs in batches and under `jit`, in single and double
precision, and takes keyword arguments by NumPy's names; array methods are the functions of the same name. `out=` is taken
wherever NumPy has it, `where=` by all ufuncs together with `out=`. What else is given is refused by name, before any code runs.

- **derivative**: *rule* is a partial, transpose or pullback of its own; *definition* is a few lines of the language, written in
  place of the call; *flat* functions have no slope anywhere (comparisons, roundings, indices, shapes).
- **batches**: *at once* is one call for all examples; *a loop* calls it for one after the other, as a comment in the source says.
- **only**: the values that keyword arguments may have, where not all are covered; *fixed* arguments have no derivative, and are
  refused where one is wanted.
'''

CLOSING = '''
## Not there, and why

A function that is not in the tables is refused with the nearest one that is; [Adding a function](adding_a_function.md) takes ten
minutes.

'''


def listing() -> str:
    for rules in LATER.values():
        importlib.import_module(rules)
    public = sorted((name for name in RULES if name.split('.')[0] in ('numpy', 'scipy')), key=_place)
    tables = [_table(module, [RULES[name] for name in names]) for module, names in groupby(public, _module)]
    missing = [(f'`{name}`', reason.why, reason.instead) for name, reason in MISSING.items()]
    partly = '\nSome calls work in part:\n\n' + _rows(('call', 'what is missing', 'why'), PARTLY)
    return OPENING + ''.join(tables) + CLOSING + _rows(('function', 'why not', 'instead'), missing) + partly


def _rows(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = (f'| {" | ".join(row)} |\n' for row in rows)
    return f'| {" | ".join(titles)} |\n|{"---|" * len(titles)}\n' + ''.join(lines)


def _module(name: str) -> str:
    """The package that a function is imported from: methods of ufuncs and distributions stand beside functions."""
    package, part, *_ = name.split('.')
    return f'{package}.{part}' if package == 'scipy' or part in ('fft', 'linalg') else package


def _place(name: str) -> tuple[str, str]:
    return _module(name), name


def _table(module: str, rules: list[Rule]) -> str:
    cells = [(f'`{rule.name.removeprefix(f"{module}.")}`', _derivative(rule), _batches(rule), _limits(rule)) for rule in rules]
    return f'\n## {module}\n\n' + _rows(('function', 'derivative', 'batches', 'only'), cells)


def _derivative(rule: Rule) -> str:
    return {'inactive': 'flat', 'definition': 'definition'}.get(rule.kind, 'rule')


def _batches(rule: Rule) -> str:
    if not rule.operands:
        return ''
    return 'at once' if rule.kind == 'definition' or batching_of(rule) else 'a loop'


def _limits(rule: Rule) -> str:
    covered = [f'`{static}` {" or ".join(f"`{value!r}`" for value in values)}' for static, values in rule.allowed.items()
               if rule.beyond is None and static != 'out' and rule.statics.get(static, REQUIRED) is not REQUIRED]
    return '; '.join([*covered, *(f'`{name}` fixed' for name in rule.fixed)])


if __name__ == '__main__':
    print(listing(), end='')
