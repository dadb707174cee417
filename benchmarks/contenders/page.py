"""The page `docs/benchmarks.md`, and its picture."""
from __future__ import annotations

import math
import os
import platform
import statistics
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt

from benchmarks import kernels_table
from benchmarks.algebra import timing
from benchmarks.contenders import first_calls
from benchmarks.contenders.ours import ROWS

Times = Mapping[str, float | str]
OTHERS = ('JAX', 'PyTorch', 'NumPy', 'Numba')
COLOURS = dict(zip(OTHERS, ('#c0392b', '#e08e0b', '#7f8c8d', '#2471a3'), strict=True))
LIBRARIES = ('numpy', 'numba', 'jax', 'torch')

OPENING = '''# Benchmarks

Written by `make bench`, in one run on one machine:
{machine}.
Times are medians of {rounds} rounds in which all take turns, after a first call that compiles. Numbers under a library are its
time over ours: above 1 ours is faster.

- **ours** is `tp.jit` of the NumPy code in `benchmarks/contenders/ours.py`.
- **NumPy** is the same code without `jit`: derivatives are the generated source, run by Python.
- **Numba** is written by hand, derivatives too, with threads where they pay (`benchmarks/contenders/in_numba.py`).
- **JAX** is `jax.jit`, **PyTorch** `torch.compile`, or eager where compiling fails or would write out thousands of turns.
- **copy** is ours over a plain copy of as many bytes: 1 is what the machine can do at best. Where there is an exponential of 1M
  numbers, which lie in the cache, computing decides as much: one thread takes 1.2 to 1.6 times as long as two there, elsewhere
  1.0 to 1.3.

![Times of the others over ours](benchmarks.svg)

'''
BETWEEN = '''
## Loops, in place and with branches

The kernels of `benchmarks/kernels`, in double precision. *gradient / primal* compares both under `tp.jit`; *Numba / ours* is
the primal compiled by `numba.njit` as it stands, where it can be; the tape is what the gradient keeps beyond its result.

'''

FIRST_CALLS = '''
## First calls

The same rows, called once, one after the other, in processes of their own (`benchmarks/contenders/first_calls.py`):
*very first*, with nothing kept, as after an installation; *first*, with the machine code of those kernels that earlier
programs have needed, such as an exponential, but of no program; *second process*, with that of the programs. A call of `x + 1`
before all rows does not count: JAX loads its compiler for it, and ours, the very first time, compiles what runs threads. Numbers
under JAX are the time of its first call over ours; *JAX, kept* is with its own cache of compiled programs, which is off unless
it is asked for. `python -m benchmarks.first_calls` does so for programs of up to 160 lines, and says where the time goes.

'''

ALGEBRA = '''
## Linear algebra and Fourier transforms

Gradients of the scalars in `benchmarks/algebra/rows.py`, of matrices of 200 × 200, stacks of 16 of 50 × 50, and signals of
40,000 numbers, in double precision; the best of {calls} calls, some in a row, so that the threads of one library do not keep
the next from a core. Numbers under JAX and PyTorch are their time over ours; *ours / SciPy* is ours over the time that SciPy
takes for the transforms of value and gradient.

'''


def machine() -> str:
    """What the figures hold for."""
    described = Path('/proc/cpuinfo')
    lines = described.read_text().splitlines() if described.exists() else []
    model = next((line.partition(':')[2].strip() for line in lines if line.startswith('model name')), platform.machine())
    versions = ', '.join(f'{name} {metadata.version(name)}' for name in LIBRARIES if _installed(name))
    return f'{os.cpu_count()} cores ({model}), Python {platform.python_version()}, {versions}'


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(0.00123), duration(2.5e-6)
    ('1.23 ms', '2.50 us')
    """
    for unit, name in ((1.0, 's'), (1e-3, 'ms')):
        if seconds >= unit:
            return f'{seconds / unit:.3g} {name}'
    return f'{seconds * 1e6:.2f} us'


def ratio(times: Times, who: str) -> float | None:
    value, ours = times.get(who), times.get('transpiler')
    return value / ours if isinstance(value, float) and isinstance(ours, float) else None


def cell(value: float | None) -> str:
    return '' if value is None else f'{value:.3g}' if value < 1000 else f'{value:.0f}'


def geometric_mean(values: Iterable[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    head = f'| {" | ".join(titles)} |\n|---|{"---:|" * (len(titles) - 1)}\n'
    return head + ''.join(f'| {" | ".join(row)} |\n' for row in rows)


def headlines(found: Mapping[str, Times]) -> str:
    rows = [(ROWS[name].title, *cells(times)) for name, times in found.items()]
    means = [[r for times in found.values() if (r := ratio(times, who)) is not None] for who in OTHERS]
    last = ('**geometric mean**', '', *(cell(geometric_mean(m)) if m else '' for m in means), '')
    return table(('', 'ours', *OTHERS, 'copy'), [*rows, last])


def cells(times: Times) -> list[str]:
    """Our time, those of the others over it, and ours over a copy's."""
    ours, copy = times.get('transpiler'), ratio(times, 'copy')
    return [duration(ours) if isinstance(ours, float) else str(ours), *(cell(ratio(times, who)) for who in OTHERS),
            cell(None if copy is None else 1 / copy)]


def first_calls_table(calls: first_calls.Calls) -> str:
    """First calls without anything kept, with kernels, and in a second process; JAX's without its cache beside each."""
    found = first_calls.rows(calls)
    body = []
    for name, (very, over_very, cold, over_cold, warm, over_warm, kept) in found.items():
        times = (duration(very), cell(over_very), duration(cold), cell(over_cold), duration(warm), cell(over_warm), cell(kept))
        body.append((ROWS[name].title, *times))
    means = [cell(geometric_mean(column)) for column in zip(*found.values(), strict=True)]
    last = ('**geometric mean**', '', means[1], '', means[3], '', *means[5:])
    return table(('', 'very first', 'JAX', 'first', 'JAX', 'second process', 'JAX', 'JAX, kept'), [*body, last])


def kernels(found: Mapping[str, kernels_table.Row | str]) -> str:
    rows = []
    for name, row in found.items():
        if isinstance(row, str):
            rows.append((f'`{name}`', row, '', '', '', ''))
            continue
        njit = '' if math.isnan(row.njit) else f'{row.njit:.2f}'
        tape = kernels_table.size(row.tape)
        rows.append((f'`{name}`', duration(row.primal), duration(row.gradient), f'{row.ratio:.2f}', njit, tape))
    measured = [row for row in found.values() if not isinstance(row, str)]
    middle = ('**median**', '', '', f'{statistics.median(row.ratio for row in measured):.2f}',
              f'{statistics.median(row.njit for row in measured if not math.isnan(row.njit)):.2f}', '')
    return table(('', 'primal', 'gradient', 'gradient / primal', 'Numba / ours', 'tape'), [*rows, middle])


def algebra(found: Mapping[str, Mapping[str, float]]) -> str:
    """The table of `benchmarks/algebra`: seconds by who takes part."""
    rows = []
    for name, times in found.items():
        ours = times['ours']
        scipys = cell(ours / times['SciPy']) if 'SciPy' in times else ''
        others = (cell(times[who] / ours) if who in times else '' for who in timing.OTHERS)
        rows.append((f'`{name}`', duration(ours), *others, scipys))
    return table(('', 'ours', *timing.OTHERS, 'ours / SciPy'), rows)


def picture(found: Mapping[str, Times], path: Path) -> None:
    """A dot for every other contender's time over ours, on a logarithmic axis."""
    matplotlib.rcParams['svg.hashsalt'] = 'benchmarks'
    names = list(found)[::-1]
    titles = [ROWS[name].title for name in names]
    figure, axes = plt.subplots(figsize=(9, 0.33 * len(names) + 1.2), layout='constrained')
    axes.axvline(1.0, color='black', linewidth=1)
    for who in OTHERS:
        points = [(r, place) for place, name in enumerate(names) if (r := ratio(found[name], who)) is not None]
        if points:
            axes.scatter(*zip(*points, strict=True), label=who, color=COLOURS[who], s=34, zorder=3)
    axes.set(xscale='log', xlabel='time over ours (right of 1: ours is faster)', yticks=range(len(names)), yticklabels=titles)
    axes.grid(axis='both', color='#e5e5e5', zorder=0)
    axes.spines[['top', 'right', 'left']].set_visible(False)
    axes.tick_params(axis='y', length=0)
    axes.legend(loc='lower center', bbox_to_anchor=(0.4, 1.0), ncols=len(OTHERS), frameon=False)
    figure.savefig(path, metadata={'Date': None})
    plt.close(figure)


def page(found: Mapping[str, Times], calls: first_calls.Calls, loops: Mapping[str, kernels_table.Row | str],
         matrices: Mapping[str, Mapping[str, float]], rounds: int) -> str:
    opening = OPENING.format(machine=machine(), rounds=rounds)
    answers = ((ROWS[name].title, who, answer) for name, times in found.items() for who, answer in times.items())
    failures = [f'- {title}, {who}: {why}\n' for title, who, why in answers if isinstance(why, str)]
    missing = '\nNot measured:\n\n' + ''.join(failures) if failures else ''
    between = ALGEBRA.format(calls=timing.TURNS * timing.CALLS)
    parts = (opening, headlines(found), missing, FIRST_CALLS, first_calls_table(calls), between, algebra(matrices), BETWEEN)
    return ''.join((*parts, kernels(loops)))
