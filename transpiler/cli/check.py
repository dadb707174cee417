"""`--check`: run the module and the generated one, and compare the derivatives with finite differences."""
from __future__ import annotations

import importlib.machinery
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import optree

from transpiler.api.calls.seeds import holds_floats
from transpiler.cli.examples import Example
from transpiler.cli.requests import Request
from transpiler.errors import Origin, TranspileError
from transpiler.source.reading.decorated import signature_of, undecorated
from transpiler.testing import Comparison, compare_gradients
from transpiler.testing.compare import tolerances
from transpiler.testing.numeric import copied, widened


class CheckFailed(TranspileError):
    """The generated code does not do what the module does."""


def import_text(text: str, name: str) -> ModuleType:
    """Run a generated module's text."""
    module = ModuleType(Path(name).stem)
    with _blaming(f'the generated module {name}'):
        exec(compile(text, name, 'exec'), module.__dict__)
    return module


def import_file(path: Path) -> ModuleType:
    """Import a module by its path; the modules beside it can be imported by it, and no byte code is left behind."""
    module = ModuleType(path.stem)
    loader = importlib.machinery.SourceFileLoader(path.stem, str(path))
    module.__file__, module.__loader__ = str(path), loader
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    given, sys.argv = sys.argv, [str(path)]     # as Python would run it
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules[path.stem], hidden = module, sys.modules.get(path.stem)
    try:
        with _blaming(f'the module {path.name}', path):
            loader.exec_module(module)
    finally:
        sys.path.pop(0)
        sys.dont_write_bytecode, sys.argv = before, given
        sys.modules.pop(path.stem)
        if hidden is not None:
            sys.modules[path.stem] = hidden
    return module


def check(request: Request, primal: Callable, generated: Callable, example: Example) -> Comparison:
    """Call both functions on the example; raises CheckFailed where they disagree."""
    primal = undecorated(primal)
    module = Path(primal.__code__.co_filename)
    if request.kind == 'vmap':
        return _check_batch(request, primal, generated, example)
    try:
        bound = signature_of(primal).bind(*example.args, **example.kwargs)
    except TypeError as error:
        raise CheckFailed(f'the example arguments do not fit `{request.function}`: {error}') from None
    bound.apply_defaults()
    args, kwargs = bound.args, bound.kwargs
    with _blaming(f'`{request.function}`', module):
        expected = primal(*copied(args), **copied(kwargs))
    given = copied(args)
    tangents = _tangents(request, primal, generated, args)
    with _blaming(f'`{request.output}`'):
        result = generated(*given, **copied(kwargs), **copied(tangents))
    gradients, value, aux = _parts(request, result)
    expected_value, expected_aux = expected if request.has_aux else (expected, None)
    argnums = _positions(request.argnums, args)
    if request.kind != 'grad':
        _agree(f'the value of `{request.output}`', value, expected_value)
    _agree(f'the auxiliary output of `{request.output}`', aux, expected_aux)
    _agree(f'an argument of `{request.output}` after the call', given, args)

    def scalar(*point: Any) -> Any:
        output = primal(*point, **copied(kwargs))
        return output[0] if request.has_aux else output
    if request.kind == 'jvp':
        found = _compare_tangents(scalar, gradients, args, dict(zip(argnums, tangents.values(), strict=True)), request.output)
    else:
        found = compare_gradients(scalar, gradients if isinstance(request.argnums, tuple) else [gradients], args, argnums,
                                  label=f'`{request.output}`', names=list(signature_of(primal).parameters))
    if found.mismatches:
        raise CheckFailed(found.message)
    return found


def _check_batch(request: Request, primal: Callable, generated: Callable, example: Example) -> Comparison:
    """Call the batched function on variations of the example, the other one on each of them."""
    parts = request.in_axes if isinstance(request.in_axes, tuple) else (request.in_axes,) * len(example.args)
    left_out = list(signature_of(primal).parameters.values())[len(example.args) : len(parts)]
    args = [*example.args, *(p.default for p in left_out)]
    given, count = [*args, *example.kwargs.values()], len(args)
    axes = [*parts, *[None] * (count - len(parts)), *[0] * len(example.kwargs)]     # what is given by name goes by its first axis
    vary = lambda leaf, factor: leaf * np.asarray(leaf).dtype.type(factor) if holds_floats(leaf) else leaf
    rows = [[arg if axis is None else optree.tree_map(lambda leaf, f=factor: vary(leaf, f), arg)
             for axis, arg in zip(axes, given, strict=True)] for factor in (1.0, 0.75, 0.5)]
    batch = [own[0] if axis is None else optree.tree_map(lambda *leaves, a=axis: np.stack(leaves, a), *own)
             for axis, own in zip(axes, zip(*rows, strict=True), strict=True)]

    def called(function: Callable, values: Sequence[Any]) -> Any:
        return function(*copied(tuple(values[:count])), **dict(zip(example.kwargs, copied(tuple(values[count:])), strict=True)))
    with _blaming(f'`{request.function}`', Path(primal.__code__.co_filename)):
        expected = [called(primal, row) for row in rows]
    with _blaming(f'`{request.output}`'):
        got = called(generated, batch)
    _agree(f'the result of `{request.output}`', got, optree.tree_map(lambda *own: np.stack(own), *expected))
    return Comparison(checked=len(rows))


def _tangents(request: Request, primal: Callable, generated: Callable, args: tuple) -> dict[str, Any]:
    """A tangent for each parameter that the generated function has for one."""
    if request.kind != 'jvp':
        return {}
    own, rng = signature_of(primal).parameters, np.random.default_rng(0)
    more = [name for name in signature_of(generated).parameters if name not in own]
    draw = lambda leaf: rng.normal(size=np.shape(leaf)).astype(np.asarray(leaf).dtype) if holds_floats(leaf) else None
    return {name: optree.tree_map(draw, args[k]) for name, k in zip(more, _positions(request.argnums, args), strict=False)}


def _compare_tangents(f: Callable, dot: Any, args: tuple, tangents: dict[int, Any], name: str) -> Comparison:
    """The weighted sum of the floats in the output, along the tangents, as a function of how far to go."""
    def weighted(output: Any) -> Any:
        rng = np.random.default_rng(1)
        floats = [leaf for leaf in optree.tree_leaves(output) if holds_floats(leaf)]
        return sum(np.sum(rng.normal(size=np.shape(leaf)) * leaf) for leaf in floats)

    def moved(length: float) -> Any:
        ahead = lambda leaf, step: leaf if step is None else leaf + length * step
        point = [optree.tree_map(ahead, arg, tangents[k], none_is_leaf=True) if k in tangents else arg
                 for k, arg in enumerate(widened(args))]
        return weighted(f(*point))
    rtol, atol = tolerances(args)
    return compare_gradients(moved, [weighted(dot)], [0.0], [0], label=f'`{name}`', names=['the length of the tangents'],
                             rtol=rtol, atol=atol)


def _parts(request: Request, result: Any) -> tuple[Any, Any, Any]:
    """Gradients (or the tangent), value and auxiliary output of what the generated function returned."""
    if request.kind == 'jvp':
        value, dot, *aux = result
        return dot, value, aux[0] if aux else None
    if request.kind == 'grad':
        gradients, aux = result if request.has_aux else (result, None)
        return gradients, None, aux
    value, gradients = result
    value, aux = value if request.has_aux else (value, None)
    return gradients, value, aux


def _positions(argnums: int | tuple[int, ...], args: tuple) -> list[int]:
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    return [range(len(args))[number] for number in numbers]


def _agree(what: str, got: Any, expected: Any) -> None:
    """Equal structure, shape and values up to rounding."""
    if optree.tree_structure(got) != optree.tree_structure(expected):
        raise CheckFailed(f'{what} has the wrong structure\n  got      {got!r}\n  expected {expected!r}')
    for own, other in zip(optree.tree_leaves(got), optree.tree_leaves(expected)):
        numeric = np.asarray(other).dtype.kind in 'fc'
        tolerance = 1e3 * np.finfo(np.asarray(other).dtype).eps if numeric else 0.0
        same = np.shape(own) == np.shape(other) and (
            np.allclose(own, other, rtol=tolerance, atol=tolerance, equal_nan=True) if numeric else np.array_equal(own, other))
        if not same:
            raise CheckFailed(f'{what} differs\n  got      {own!r}\n  expected {other!r}')


@contextmanager
def _blaming(what: str, module: Path | None = None) -> Iterator[None]:
    """Report an exception of checked code in one line that says whose it is, and at which line of the module it came about."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except SystemExit as error:
        raise CheckFailed(f'{what} ends the process (SystemExit: {error})', _line_in(module, error),
                          instead="put what runs it as a program under `if __name__ == '__main__':`") from error
    except BaseException as error:      # classes of exceptions may be anything
        raise CheckFailed(f'{what} raised {type(error).__name__}: {error}', _line_in(module, error)) from error


def _line_in(module: Path | None, error: BaseException) -> Origin | None:
    """The innermost line of the module that an exception came through."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(module)]
    if module is None or not lines:
        return None
    text = linecache.getline(str(module), lines[-1]).rstrip()
    return Origin(module.name, lines[-1], len(text) - len(text.lstrip()), text)
