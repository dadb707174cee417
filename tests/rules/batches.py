"""The rules' examples as batches: functions of their arrays, some of which differ from example to example."""
from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optree

from tests.rules.cases import HEADER, spelled, written
from transpiler.rules.base.registry import RULES, Batching, Rule, batching_of

COUNT = 3


@dataclass(frozen=True)
class Batch:
    """An example of a rule: `call` on the arguments `x0`, `x1`, ..., of which some are batches of `COUNT`."""

    rule: Rule
    number: int
    call: str
    arguments: tuple[Any, ...]
    axes: tuple[int | None, ...]

    @property
    def name(self) -> str:
        return f'{self.rule.name.replace(".", "_")}_{self.number}_{"".join("x" if a is None else str(a) for a in self.axes)}'

    def function(self, folder: Path) -> Callable:
        names = ', '.join(f'x{k}' for k in range(len(self.arguments)))
        path = folder / f'batch_{self.name}.py'
        path.write_text(f'{HEADER}from transpiler_kernels import arrays\n\n\ndef f({names}):\n    return {self.call}\n')
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.f

    def rows(self, f: Callable) -> list[Any]:
        return [f(*(a if k is None else a[b] for a, k in zip(self.arguments, self.axes, strict=True))) for b in range(COUNT)]


def stacked(rows: list[Any]) -> Any:
    return optree.tree_map(lambda *parts: np.stack(parts), *rows)


def batches(rule: Rule, number: int) -> Iterator[Batch]:
    """Each argument alone as a batch, and all of them."""
    drawn = []
    for seed in range(COUNT):
        arguments: list[Any] = []
        args, keywords = rule.examples[number].draw(np.random.default_rng(seed), rule)
        parts = [written(arg, arguments) for arg in args] + [f'{k}={written(v, arguments)}' for k, v in keywords.items()]
        drawn.append(arguments)
    width = len(drawn[0])
    chosen = {(True,) * width, *(tuple(k == one for k in range(width)) for one in range(width))}
    for which in sorted(chosen, reverse=True):
        if any(which):
            joint = tuple(np.stack(values) if flag else values[0] for flag, values in zip(which, zip(*drawn), strict=True))
            yield Batch(rule, number, spelled(rule, parts), joint, tuple(0 if flag else None for flag in which))


def all_batches() -> list[Batch]:
    """Of what works element by element one example of each rule is enough."""
    found = []
    for rule in RULES.values():
        alike = batching_of(rule) == Batching(None) or rule.name.startswith('math.')
        numbers = range(len(rule.examples)) if not alike else [len(rule.examples) // 2]
        if rule.name != 'kernels.next_snapshot':
            found += [batch for number in numbers for batch in list(batches(rule, number))[: 1 if alike else None]]
    return found
