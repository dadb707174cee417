"""The rules' examples as user code: a module of functions, each a weighted sum of one call."""
from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tests.rules.numeric import is_complex, is_float, weights_for
from transpiler.rules.base.registry import RULES, Rule

SIZES = ('numpy.ndim', 'numpy.shape', 'numpy.size')      # definitions without derivative
PACKAGES = ('integrate', 'linalg', 'ndimage', 'signal', 'special', 'stats')
IMPORTS = ('math', 'numpy as np', *(f'scipy.{name}' for name in PACKAGES), 'transpiler as tp')
HEADER = ''.join(f'import {name}\n' for name in IMPORTS)


@dataclass(frozen=True)
class Written:
    """An example as a function of its arrays (and NumPy numbers) `arguments`, those in `floats` being differentiated."""

    rule: Rule
    number: int
    call: str
    arguments: tuple[Any, ...]
    weights: Any

    @property
    def name(self) -> str:
        return f'{self.rule.name.replace(".", "_")}_{self.number}'

    @property
    def floats(self) -> tuple[int, ...]:
        return tuple(k for k, value in enumerate(self.arguments) if is_float(value))

    def text(self) -> str:
        """`result` of the arguments; `loss` of them and the weights; `slope` of it along directions for the float arguments."""
        names = [f'x{k}' for k in range(len(self.arguments))]
        weights = [f'w{k}' for k in range(len(self.weights))]
        directions = [f'd{k}' for k in self.floats]
        items = [f'np.real({w} * {y})' if is_complex(weight) else f'{w} * {y}'
                 for w, y, weight in zip(weights, self._results(), self.weights, strict=True)]
        total = ' + '.join(f'np.sum({item})' for item in items)
        along = ' + '.join(f'np.sum(bars[{n}] * {d})' for n, d in enumerate(directions)) or '0.0'
        return (f'\n\ndef result({", ".join(names)}):\n    return {self.call}\n'
                f'\n\ndef loss({", ".join(names + weights)}):\n    y = {self.call}\n    return {total}\n'
                f'\n\ndef slope({", ".join(names + weights + directions)}):\n'
                f'    bars = tp.grad(loss, argnums={self.floats})({", ".join(names + weights)})\n    return {along}\n')

    def _results(self) -> list[str]:
        return ['y'] if len(self.weights) == 1 else [f'y[{k}]' for k in range(len(self.weights))]


def write(rule: Rule, number: int) -> Written | None:
    """The example as code, or None if no float goes in or comes out."""
    rng = np.random.default_rng(number)
    args, keywords = rule.examples[number].draw(rng, rule)
    result = rule.primitive(*args, **keywords)
    results = list(result) if isinstance(result, (tuple, list)) else [result]
    arguments: list[Any] = []
    parts = [written(arg, arguments) for arg in args] + [f'{k}={written(v, arguments)}' for k, v in keywords.items()]
    weights = tuple(weights_for(results, rng))
    made = Written(rule, number, spelled(rule, parts), tuple(arguments), weights)
    return made if made.floats else None


def spelled(rule: Rule, parts: list[str]) -> str:
    home, _, name = rule.name.rpartition('.')
    if home == 'numpy.ndarray':
        return f'{parts[0]}.{name}({", ".join(parts[1:])})'
    prefix = {'python': '', 'math': 'math.', 'kernels': 'arrays.'}.get(home, home.replace('numpy', 'np') + '.')
    return f'{prefix}{name}({", ".join(parts)})'


def written(value: Any, arguments: list[Any]) -> str:
    """The source of an argument; arrays and NumPy numbers become parameters."""
    match value:
        case np.ndarray() | np.generic():
            arguments.append(value)
            return f'x{len(arguments) - 1}'
        case list():
            return f'[{", ".join(written(item, arguments) for item in value)}]'
        case type():
            return f'np.{value.__name__}'
        case float() if not np.isfinite(value):
            return f'-np.{-value}' if value < 0 else f'np.{value}'
    return repr(value)


def smooth(rule: Rule) -> bool:
    return rule.kind != 'inactive' and not rule.name.startswith('kernels.') and rule.name not in SIZES


def module_of(case: Written, folder: Path) -> ModuleType:
    """A real module that holds the case, so that its source can be read."""
    return module_from(HEADER + case.text(), folder / f'case_{case.name}.py')


def module_from(text: str, path: Path) -> ModuleType:
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def all_cases() -> list[Written]:
    found = [write(rule, number) for rule in RULES.values() if smooth(rule) for number in range(len(rule.examples))]
    return [case for case in found if case is not None]
