"""Judging a random program on a batch of arguments: `vmap` of it, and of its gradient, against a loop over examples."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.oracle import Verdict, repeatable
from tests.fuzz.programs import Program
from tests.support import copied

FACTORS = (1.0, -0.7, 0.4)
PATHS = 100  # so many ways through the branches and loops of a program are tried for its types


def examples(program: Program) -> tuple[tuple, tuple[int | None, ...]]:
    """The arguments, all but integers as a batch, and which axis of each is that of the examples."""
    chosen = [k for k, arg in enumerate(program.args) if not isinstance(arg, int)]
    batch = lambda leaf: np.stack([np.asarray(leaf * np.asarray(factor, np.asarray(leaf).dtype)) for factor in FACTORS])
    args = tuple(optree.tree_map(batch, arg) if k in chosen else arg for k, arg in enumerate(program.args))
    return args, tuple(0 if k in chosen else None for k in range(len(args)))


def judge_batch(program: Program, compiled: bool = False) -> Verdict:
    """Compare values, and gradients, of all examples at once with those of one after the other."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        original = tp.from_source(program.text)
        args, axes = examples(program)
        gradient = tp.grad(original, argnums=program.argnums, has_aux=program.has_aux)
        verdict = Verdict('vague')
        for what, function in (('value', original), ('gradient', gradient)):
            one, all_ = repeatable(original, function), tp.vmap(function, in_axes=axes)
            verdict = _judged(program, what, one, all_, args, axes, compiled)
            if verdict.kind not in ('right', 'vague'):
                return verdict
        return verdict


def _stacked(parts: tuple) -> np.ndarray:
    """What examples give, as one array; where one gives a number of Python's own, it is of the kind of the others (NEP 50)."""
    return np.stack(parts).astype(np.result_type(*parts))


def _judged(
    program: Program, what: str, function: Callable, batched: Callable, args: tuple, axes: tuple, compiled: bool
) -> Verdict:
    rows, wanted, own, failure = [], [], [], None
    try:
        rows = [optree.tree_flatten(row) for row in _rows(function, args, axes)]
        wanted = [_stacked(parts) for parts in zip(*(leaves for leaves, _ in rows))]
        own = [all(type(part) in (bool, int, float) for part in parts) for parts in zip(*(leaves for leaves, _ in rows))]
    except tp.TranspileError as error:
        return Verdict('refused', str(error))
    except Exception as error:
        failure = error
    try:
        found = (tp.jit(batched) if compiled else batched)(*copied(args))
    except tp.TranspileError as error:
        return Verdict('refused', str(error))
    except Exception as error:
        return Verdict('right') if failure is not None else Verdict(f'crash {type(error).__name__} of {what}', repr(error))
    if failure is not None:
        return Verdict('silent', f'an example raises {failure!r}')
    if optree.tree_structure(found) != rows[0][1]:
        return Verdict(f'structure of {what}', f'{found}')
    for got, want, are_pythons in zip(optree.tree_leaves(found), wanted, own, strict=True):
        if got.shape != want.shape:
            return Verdict(f'shape of {what}', f'{got.shape} instead of {want.shape}')
        elsewhere = _types_elsewhere(program) if got.dtype != want.dtype else set()
        held = are_pythons and got.dtype in elsewhere and np.array_equal(got, want)     # numbers that fit another path's dtype
        if got.dtype != want.dtype and not held and got.dtype not in {np.promote_types(want.dtype, t) for t in elsewhere}:
            return Verdict(f'type of {what}', f'{got.dtype} instead of {want.dtype}')
        if not np.all(np.isfinite(want)) or np.max(np.abs(want), initial=0.0) > 1e8:
            return Verdict('vague')
        tolerance = 2e-3 if want.dtype == np.float32 or _single(args) else 1e-8
        if not np.allclose(got, want, rtol=tolerance, atol=tolerance):
            return Verdict(f'{what} of a batch', f'{got} instead of {want}')
    return Verdict('right')


def _rows(function: Callable, args: tuple, axes: tuple) -> list:
    return [function(*copied(tuple(_row(a, b) if k == 0 else a for a, k in zip(args, axes)))) for b in range(len(FACTORS))]


def _types_elsewhere(program: Program) -> set[np.dtype]:
    """The types of the results on paths that no example takes: those of a batch do not depend on values."""
    found = set()
    for text in _other_paths(program.text):
        try:
            found |= {np.asarray(leaf).dtype for leaf in optree.tree_leaves(tp.from_source(text)(*copied(program.args)))}
        except Exception:
            continue
    return found


def _other_paths(text: str) -> Iterator[str]:
    """The program with each branch taken or not, each loop run or not, and all items let through or none, as chance has it."""
    tree, chance = ast.parse(text), random.Random(text)
    forks = [(node, ways) for node in ast.walk(tree) if (ways := _ways(node))]
    for _ in range(PATHS):
        for node, ways in forks:
            vars(node).update(chance.choice(ways))
        yield ast.unparse(tree)


def _ways(node: ast.AST) -> list[dict[str, Any]]:
    """What to put into a statement so that it goes one way or another; a `while` may also run once whatever its test says."""
    yes, no = ast.Constant(True), ast.Constant(False)
    match node:
        case ast.If() | ast.IfExp():
            return [{'test': yes}, {'test': no}]
        case ast.For(iter=written):
            return [{'iter': written}, {'iter': ast.Tuple([], ast.Load())}]
        case ast.While(test=written, body=body):
            return [{'test': written, 'body': body}, {'test': no, 'body': body}, {'test': yes, 'body': [*body, ast.Break()]}]
        case ast.comprehension(ifs=[_, *_]):
            return [{'ifs': []}, {'ifs': [no]}]
    return []


def _single(args: Any) -> bool:
    return any(getattr(leaf, 'dtype', None) == np.float32 for leaf in optree.tree_leaves(args))


def _row(tree: Any, place: int) -> Any:
    return optree.tree_map(lambda leaf: leaf[place], tree)
