"""Every rule at special values beside JAX, where JAX has the function: `python -m tests.oracle.special_values [TEXT]`.

Prints where the derivatives differ although the values agree, and fails if that is none of the `AGREED` differences.
"""
from __future__ import annotations

import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy
import jax.scipy.integrate
import jax.scipy.linalg
import jax.scipy.signal
import jax.scipy.special
import jax.scipy.stats
import numpy as np

import tests.all_rules  # noqa: F401  (enters them)
import transpiler as tp
from tests.oracle.agreed import AGREED
from tests.oracle.points import points
from tests.rules.cases import Written, module_of, smooth, write
from transpiler.rules.base.registry import RULES

SHOWN = 4


def theirs(case: Written) -> dict[str, Callable]:
    """The functions of a case, of JAX's arrays."""
    names: dict[str, Any] = {'np': jax.numpy, 'scipy': jax.scipy}
    exec(case.text(), names)
    return names


def differences(case: Written, folder: Path, counts: Counter[str]) -> Iterator[str]:
    ours, other = module_of(case, folder), theirs(case)
    for title, arguments in points(case):
        floats = tuple(k for k in case.floats if arguments[k].dtype.kind == 'f')
        try:
            results = ours.result(*arguments)
            values = other['result'](*arguments)
            weights = [np.ones_like(y) for y in listed(results)]
            expected = jax.grad(other['loss'], argnums=floats)(*arguments, *weights)
        except Exception:
            counts['refused by NumPy or by JAX'] += 1
            continue
        if not alike(results, values):
            counts['of another value in JAX'] += 1
            continue
        if case.rule.kind != 'elementwise' and any(np.isnan(y).any() for y in listed(results)):
            counts['NaN'] += 1
            continue
        try:
            found = tp.grad(ours.loss, argnums=floats)(*arguments, *weights)
        except Exception as error:
            yield f'{title}: {type(error).__name__}: {str(error).splitlines()[0]}'
            continue
        counts['compared'] += 1
        for k, mine, his in zip(floats, found, expected, strict=True):
            valid = ~np.isnan(results) if case.rule.kind == 'elementwise' else True
            if unlike := list(places(arguments, mine, his, valid)):
                yield f'{title}, argument {k}, {len(unlike)} items: {"; ".join(unlike[:SHOWN])}'


def listed(results: Any) -> list[Any]:
    return list(results) if isinstance(results, (tuple, list)) else [results]


def alike(ours: Any, other: Any) -> bool:
    if isinstance(ours, (tuple, list)):
        return len(ours) == len(other) and all(map(alike, ours, other))
    return np.shape(ours) == np.shape(other) and np.allclose(ours, other, rtol=1e-6, atol=1e-9, equal_nan=True)


def places(arguments: tuple[Any, ...], mine: Any, his: Any, valid: Any) -> Iterator[str]:
    """Where two derivatives differ that should not, by the arguments at these places if there are."""
    mine, his = np.asarray(mine), np.asarray(his)
    same = np.isclose(mine, his, rtol=1e-6, atol=1e-9, equal_nan=True) | ~np.asarray(valid)
    for place in zip(*np.nonzero(~same), strict=True) if mine.ndim else ([()] if not same else []):
        at = [a[place] if np.shape(a) == mine.shape else a for a in arguments]
        yield f'{mine[place]:.6g} ({his[place]:.6g} in JAX) at {", ".join(str(a).replace(chr(10), "") for a in at)}'


def main(wanted: str = '') -> int:
    jax.config.update('jax_enable_x64', True)
    warnings.simplefilter('ignore')
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for rule in RULES.values():
            if not smooth(rule) or wanted not in rule.name:
                continue
            for case in filter(None, (write(rule, number) for number in range(len(rule.examples)))):
                for line in differences(case, Path(folder), counts):
                    known = any(name == rule.name and part in line for name, part in AGREED)
                    counts['differences agreed on' if known else 'differences'] += 1
                    if not known:
                        print(f'{rule.name}[{case.number}] {line}', flush=True)
    print(dict(counts))
    return 1 if counts['differences'] else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
