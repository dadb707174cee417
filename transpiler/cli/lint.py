"""`--lint`: what the lint has to say about the functions of a module that is read as text."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from transpiler.analyses.lint import Finding, examine
from transpiler.analyses.lint.finding import refusal
from transpiler.api.lint import Findings
from transpiler.cli.examples import Example, parse_examples
from transpiler.cli.generate import program
from transpiler.cli.module import Module
from transpiler.errors import TranspileError


def asked_for(module: Path) -> tuple[Path, list[str]]:
    """The file, and the function named behind a colon.

    >>> asked_for(Path('src/model.py:loss')) == (Path('src/model.py'), ['loss'])
    True
    """
    path, colon, name = str(module).rpartition(':')
    return (Path(path), [name]) if colon and name.isidentifier() else (module, [])


def lint_module(module: Module, names: Sequence[str], args: Sequence[str], path: str) -> tuple[Findings, int]:
    """What is found in the functions `names`, or in all of the module, and how many those are.

    A function that nobody asked for by name may not be meant for the transpiler at all: if it is refused, that is a note.
    A line that several functions go through is spoken of once.
    """
    functions = list(names) or module.functions()
    examples = parse_examples(args, functions)
    found = [f for name in functions for f in _lint(module, name, examples.get(name), bool(names))]
    once = {(f.kind, f.origin or f.message): f for f in reversed(found)}
    placed = [_located(f, module.file, path) for f in found if once[f.kind, f.origin or f.message] is f]
    return Findings(placed), len(functions)


def _lint(module: Module, name: str, example: Example | None, asked: bool) -> Sequence[Finding]:
    try:
        return examine(program(module.function(name), (), example).primal)
    except TranspileError as error:
        if error.origin is None and asked:
            raise
        if asked:
            return [refusal(error)]
        return [Finding('unexamined', f'`{name}` is not examined further: {error.what}', error.origin, error.why, error.instead,
                        level='note')]


def _located(finding: Finding, file: str, path: str) -> Finding:
    """The finding, with the module's path as it was given, so that an editor finds it."""
    if finding.origin is None or finding.origin.file != file:
        return finding
    return replace(finding, origin=replace(finding.origin, file=path))


def summary(findings: Findings, functions: int) -> str:
    """How much was found.

    >>> summary(Findings(), 2)
    'no warnings in 2 functions'
    """
    warnings, notes = len(findings), len(findings.notes)
    said = f'{warnings or "no"} warning{"s" * (warnings != 1)}' + (f' and {notes} note{"s" * (notes != 1)}' if notes else '')
    return f'{said} in {functions} function{"s" * (functions != 1)}'
