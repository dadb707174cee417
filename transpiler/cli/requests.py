"""What the command line asks for: one `Request` for each generated function."""
from __future__ import annotations

import argparse
import builtins
import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

KINDS = ('grad', 'value_and_grad', 'jvp', 'vmap')
FORM = 'FUNCTION[:argnums=0,1][:has_aux][:name=OUTPUT_NAME]'
INTEGER = re.compile(r'-?(0|[1-9][0-9]{0,15})')  # as Python writes them
BATCH_FORM = 'FUNCTION[:in_axes=0,None][:name=OUTPUT_NAME]'


class UsageError(Exception):
    """The command itself is wrong: exit status 2."""


@dataclass(frozen=True)
class Request:
    """One function to generate: the transform `kind` of `function`, under the name `output`; `spec` is how it was written."""

    kind: str
    function: str
    output: str
    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    spec: str = ''
    in_axes: int | tuple[int | None, ...] | None = 0

    @property
    def option(self) -> str:
        return '--' + self.kind.replace('_', '-')


def parse_request(kind: str, spec: str) -> Request:
    """Read a specification such as `loss:argnums=0,1:has_aux:name=slope`; a comma makes `argnums` and `in_axes` tuples.

    >>> request = parse_request('grad', 'loss:argnums=0,1:has_aux')
    >>> request.function, request.output, request.argnums, request.has_aux
    ('loss', 'loss_grad', (0, 1), True)
    >>> parse_request('vmap', 'predict:in_axes=None,0').in_axes
    (None, 0)
    """
    form = BATCH_FORM if kind == 'vmap' else FORM
    function, *options = spec.split(':')
    function = _as_python_reads(function)
    if not _is_name(function):
        raise argparse.ArgumentTypeError(f'{spec!r} does not begin with a function name; the form is {form}')
    given: dict = {}
    for option in options:
        key, equals, value = option.partition('=')
        if key in given:
            raise argparse.ArgumentTypeError(f'{spec!r} says `{key}` twice')
        if key == 'argnums' and value and kind != 'vmap':
            given[key] = _numbers(key, value, spec)
        elif key == 'in_axes' and value and kind == 'vmap':
            given[key] = _numbers(key, value, spec, none=True)
        elif key == 'has_aux' and not equals and kind != 'vmap':
            given[key] = True
        elif key == 'name' and _is_name(_as_python_reads(value)):
            given[key] = _output_name(_as_python_reads(value))
        else:
            raise argparse.ArgumentTypeError(f'{option!r} in {spec!r} is not understood; the form is {form}')
    output = given.pop('name', f'{function}_{kind}')
    return Request(kind, function, output, spec=spec, **given)


def _output_name(name: str) -> str:
    """A name that means nothing yet in a module of Python."""
    if name in dir(builtins) or name.startswith('__') and name.endswith('__'):
        raise argparse.ArgumentTypeError(f'`{name}` has a meaning in Python, which other functions may need; choose another name')
    return name


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _as_python_reads(name: str) -> str:
    return unicodedata.normalize('NFKC', name)


def _numbers(key: str, text: str, spec: str, none: bool = False) -> Any:
    """An integer, or with a comma a tuple of integers; axes may be None.

    >>> _numbers('argnums', '0,-1', ''), _numbers('argnums', '0,', ''), _numbers('in_axes', 'None', '', none=True)
    ((0, -1), (0,), None)
    """
    parts = text.removesuffix(',').split(',')
    if not all(INTEGER.fullmatch(part) or none and part == 'None' for part in parts):
        what = 'integers or None' if none else 'integers'
        raise argparse.ArgumentTypeError(f'{key} in {spec!r} must be {what} separated by commas, not {text!r}')
    numbers = tuple(None if part == 'None' else int(part) for part in parts)
    return numbers if ',' in text else numbers[0]


def refuse_hiding(requests: Sequence[Request], imported: Collection[str], defined: Collection[str]) -> None:
    """What the module imports keeps its name in the output; what it defines, where a person gives another thing that name."""
    for request in requests:
        given = request.output != f'{request.function}_{request.kind}'
        does = 'imports' if request.output in imported else 'defines' if given and request.output in defined else None
        if does is not None:
            raise UsageError(f'{request.option} {request.spec} would hide `{request.output}`, which the module {does}; '
                             'give it another name with `:name=...`')


def refuse_clashes(requests: Sequence[Request]) -> None:
    """Two functions of one name cannot stand in one module."""
    for name, count in Counter(request.output for request in requests).items():
        if count > 1:
            specs = ' and '.join(f'{r.option} {r.spec}' for r in requests if r.output == name)
            raise UsageError(f'{specs} would both be called `{name}`; give one another name with `:name=...`')
