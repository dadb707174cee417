"""The command: read, generate, check, write, show. Every failure is one message on stderr."""
from __future__ import annotations

import argparse
import io
import sys
import tokenize
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import track

from transpiler import __version__
from transpiler.api import cache
from transpiler.cli.arguments import command_line, parse_options
from transpiler.cli.assemble import assemble
from transpiler.cli.check import check, import_file, import_text
from transpiler.cli.draw import draw_example
from transpiler.cli.examples import Example, parse_examples
from transpiler.cli.generate import generate_one
from transpiler.cli.lint import asked_for, lint_module, summary
from transpiler.cli.module import Module
from transpiler.cli.output import header, refuse_overwriting, write_atomically
from transpiler.cli.precompile import precompile_one
from transpiler.cli.requests import Request, UsageError, refuse_hiding
from transpiler.errors import TranspileError, printable
from transpiler.inspection import highlighted
from transpiler.room import roomy

OK, FAILED, USAGE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 all well, 1 refused or checked wrong, 2 the command is wrong."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        options = parse_options(argv)
        return run_lint(options) if options.lint else run_precompile(options) if options.precompile else run(options)
    except TranspileError as error:       # before OSError, which some of them are as well
        return _report(FAILED, _located(error, options.module))
    except UsageError as error:
        return _report(USAGE, f'transpile: {error}')
    except OSError as error:
        return _report(USAGE, f'transpile: {printable(str(error.filename or "output"))}: {error.strerror or error}')
    except KeyboardInterrupt:
        return _report(FAILED, 'transpile: interrupted')
    except Exception as error:
        if '--traceback' in argv:
            traceback.print_exc()
        hint = 'run again with --traceback and report it, please'
        return _report(FAILED, f'transpile: internal error: {type(error).__name__}: {error} ({hint})')


def _report(status: int, message: str) -> int:
    print('\n'.join(map(printable, message.split('\n'))), file=sys.stderr)
    return status


def _located(error: TranspileError, module: Path) -> str:
    """The message, with the module's path as it was given, so that an editor finds it."""
    if error.origin is None:
        return f'transpile: {error}'
    if error.origin.file == module.name:
        error.origin = replace(error.origin, file=str(module))
    return error.render()


@roomy
def run_lint(options: argparse.Namespace) -> int:
    """Show what the lint finds, and count it; raises UsageError, OSError or TranspileError."""
    path, names = asked_for(options.module)
    findings, functions = lint_module(Module(_read(path)[1], path.name), names, options.args, str(path))
    if findings.all:
        Console().print(findings, soft_wrap=True)
    print(summary(findings, functions))
    return FAILED if findings else OK


def run_precompile(options: argparse.Namespace) -> int:
    """Compile functions of the module, and say where machine code lies; raises UsageError, OSError or TranspileError."""
    names = list(dict.fromkeys(options.precompile))
    examples, module = parse_examples(options.args, names), import_file(options.module)
    for name in names:
        precompile_one(module, name, examples.get(name))
    print(f'{cache.where()}: {", ".join(names)}')
    return OK


@roomy
def run(options: argparse.Namespace) -> int:
    """Do what the options ask for; raises UsageError, OSError or TranspileError."""
    content, text = _read(options.module)
    if options.output:
        refuse_overwriting(options.output, options.module, options.force)
    requests = options.requests
    examples = parse_examples(options.args, list(dict.fromkeys(request.function for request in requests)))
    module = Module(text, options.module.name)
    refuse_hiding(requests, module.imported, module.defined)
    parts = [generate_one(module, request, examples.get(request.function)) for request in _progress(requests, 'transpiling')]
    texts = [text for part in parts for text in part]
    head = header(__version__, options.module.name, content, command_line(options))
    result = assemble(texts, head, options.runtime)
    notes = _check(options, module, examples, result) if options.check else []
    if options.output:
        write_atomically(options.output, result)
        notes.append(f'{options.output}: {", ".join(request.output for request in requests)}')
    _print(options, result, notes)
    return OK


def _read(path: Path) -> tuple[bytes, str]:
    """The module's bytes, and its text in the encoding that it declares."""
    content = path.read_bytes()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        return content, io.TextIOWrapper(io.BytesIO(content), encoding).read()
    except (LookupError, SyntaxError, UnicodeDecodeError) as error:     # `rot13` decodes texts, not bytes
        raise TranspileError(f'{path.name} is not text: {error}') from None


def _progress(requests: Sequence[Request], what: str) -> Iterable[Request]:
    """The requests, with a progress bar on a terminal if there are several."""
    console = Console(stderr=True)
    if len(requests) < 2 or not console.is_terminal:
        return requests
    return track(requests, description=what, console=console, transient=True)


def _check(options: argparse.Namespace, module: Module, examples: dict[str, Example], result: str) -> list[str]:
    """Compare with finite differences; a line for every function that agrees."""
    drawn = {r.function: draw_example(module.function(r.function)) for r in options.requests if r.function not in examples}
    primal = import_file(options.module)
    generated = import_text(result, options.output.name if options.output else f'{options.module.stem}_generated.py')
    notes = []
    for request in _progress(options.requests, 'checking'):
        function = getattr(primal, request.function)
        found = check(request, function, getattr(generated, request.output), (examples | drawn)[request.function])
        if request.kind == 'vmap':
            notes.append(f'{request.output}: {found.checked} examples agree with a loop over them')
        else:
            notes.append(f'{request.output}: {found.checked} derivatives agree with finite differences (to {found.worst:.1e})')
    return notes


def _print(options: argparse.Namespace, result: str, notes: Sequence[str]) -> None:
    """The result where it is asked for, in colour on a terminal; notes go to stderr when the result has stdout."""
    if options.show and sys.stdout.isatty():
        Console().print(highlighted(result), soft_wrap=True)
    elif options.show or not options.output:
        sys.stdout.write(result)
    for note in notes:
        print(note, file=sys.stdout if options.output else sys.stderr)
