"""One module out of several generated ones: imports merged, helpers written in once, functions in the order asked for."""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from transpiler.cli.helpers import standalone
from transpiler.core.naming import RUNTIME
from transpiler.errors import TranspileError

HELPERS = f'{RUNTIME}.arrays'
FUNCTION = re.compile(r'^def ', re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    """A generated text taken apart: what each imported name stands for, and the text of each definition with its comments."""

    imports: dict[str, str]
    definitions: dict[str, str]


def take_apart(text: str) -> Piece:
    """Separate imports from definitions.

    >>> take_apart('# grad of f\\nimport numpy as np\\n\\n\\ndef f_grad(x):\\n    return np.cos(x)\\n')
    Piece(imports={'np': 'numpy'}, definitions={'f_grad': '# grad of f\\ndef f_grad(x):\\n    return np.cos(x)'})
    """
    lines = text.splitlines()
    imports: dict[str, str] = {}
    definitions: dict[str, str] = {}
    comments = [line for line in lines[:_first_line(text)] if line.startswith('#')]
    for statement in ast.parse(text).body:
        match statement:
            case ast.Import(names=aliases):
                imports |= {alias.asname or alias.name: alias.name for alias in aliases}
            case ast.ImportFrom(module=module, names=aliases):
                imports |= {alias.asname or alias.name: f'{module}:{alias.name}' for alias in aliases}
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                first, end = statement.lineno - 1, statement.end_lineno
                while first and lines[first - 1].startswith('#') and lines[first - 1] not in comments:
                    first -= 1
                definitions[name] = '\n'.join(lines[first:end])
    if definitions and comments:
        last = list(definitions)[-1]
        definitions[last] = '\n'.join([*comments, definitions[last]])
    return Piece(imports, definitions)


def _first_line(text: str) -> int:
    return ast.parse(text).body[0].lineno - 1


def assemble(texts: Sequence[str], head: str, runtime: bool = False) -> str:
    """The text of one module with all the functions of `texts`, below the comment lines `head`.

    >>> print(assemble(['import numpy as np\\n\\n\\ndef f(x):\\n    return np.cos(x)\\n'], '# made'), end='')
    # made
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        return np.cos(x)
    """
    pieces = [take_apart(text) for text in texts]
    imports = _merged((piece.imports for piece in pieces), 'imported')
    definitions = _merged((piece.definitions for piece in pieces), 'defined')
    if not runtime:
        imports, helpers = _written_in(imports)
        definitions = _merged([helpers, definitions], 'defined')
    _merged([imports, definitions], 'imported and defined')
    return _laid_out('\n'.join([head, _import_lines(imports)] if imports else [head]), definitions.values())


def _laid_out(top: str, definitions: Iterable[str]) -> str:
    """Two empty lines around functions, none between constants."""
    text, last_is_constant = top, False
    for definition in definitions:
        constant = not FUNCTION.search(definition)
        text += ('\n' if last_is_constant else '\n\n') if constant else '\n\n\n'
        text, last_is_constant = text + definition, constant
    return text + '\n'


def _merged(parts: Iterable[dict[str, str]], how: str) -> dict[str, str]:
    """All entries; one name cannot mean two things in one module."""
    whole: dict[str, str] = {}
    for part in parts:
        for name, meaning in part.items():
            if whole.setdefault(name, meaning) != meaning:
                raise TranspileError(f'`{name}` would be {how} twice in the output, with different meanings',
                                     why='the generated functions share one module',
                                     instead='write them into separate modules, or rename one with `:name=...`')
    return whole


def _written_in(imports: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Replace imports of helpers by their definitions (and by a second name where they are imported under another)."""
    wanted = {alias: meaning.split(':')[1] for alias, meaning in imports.items() if meaning.startswith(f'{HELPERS}:')}
    if not wanted:
        return imports, {}
    lines, texts = standalone(wanted.values())
    helper = take_apart('\n'.join([*lines, *texts, '']))
    aliases = {alias: f'{alias} = {name}' for alias, name in wanted.items() if alias != name}
    kept = {alias: meaning for alias, meaning in imports.items() if alias not in wanted}
    return _merged([kept, helper.imports], 'imported'), helper.definitions | aliases


def _import_lines(imports: dict[str, str]) -> str:
    """Import statements, sorted: whole modules of the standard library first, then the others, then names from modules."""
    def group(name: str, alias: str) -> tuple[int, str]:
        return (0 if name == 'math' else 1, f'import {name}' if name == alias else f'import {name} as {alias}')
    whole = sorted(group(meaning, alias) for alias, meaning in imports.items() if ':' not in meaning)
    members: dict[str, list[str]] = {}
    for alias, meaning in sorted(imports.items()):
        if ':' in meaning:
            module, name = meaning.split(':')
            members.setdefault(module, []).append(name if name == alias else f'{name} as {alias}')
    blocks = [[line for number, line in whole if number == wanted] for wanted in (0, 1)]
    blocks.append([f'from {module} import {", ".join(sorted(names))}' for module, names in sorted(members.items())])
    return '\n\n'.join('\n'.join(block) for block in blocks if block)
