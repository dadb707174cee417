"""What first calls of derivatives take: `python -m benchmarks.first_calls [names] [--jax] [--second]`.

Each program is differentiated and called once in a fresh process where nothing is kept anywhere, as after an installation.
Imports do not count, nor what is loaded, or compiled, for `x + 1`: that is called before. Seconds are those of the
processors, where nothing else is said.

- `lines`: of the program, with the functions that it calls; `gradient`: of its derivative, `.source`; `loops`: of what Numba
  compiles, `.loops`; `functions`: how many functions that is, with kernels that no program has needed before
- `plain`: making the derivative as plain Python, in another process
- `first`: the first call of `jit(value_and_grad(f))`, or `jit(hessian(f))`, behind the stages that it goes through
  (`transpiler/stages.py`) and what is none of them, the run itself for one; `wall`: by the clock
- with `--second`, the same in a second process, which finds what the first has kept
- with `--jax`, the first call in JAX; with both, its second with its own cache, by the clock

Where results of two processes differ, it says so on stderr, where each row stands as soon as it is measured.
"""
from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Mapping, Sequence

from benchmarks.first_calls import PROGRAMS
from benchmarks.first_calls.measuring import HAS_JAX, Figures, here, measure
from transpiler.stages import STAGES

# title: in which process, and which figure of it
COLUMNS = {'lines': ('plain', 'lines'), 'gradient': ('plain', 'gradient'), 'loops': ('first', 'loops'),
           'functions': ('first', 'functions'), 'plain': ('plain', 'plain'), **{stage: ('first', stage) for stage in STAGES},
           'other': ('first', 'other'), 'first': ('first', 'cpu'), 'wall': ('first', 'wall'), '2nd': ('second', 'cpu'),
           '2nd wall': ('second', 'wall'), 'JAX': ('jax', 'cpu'), 'JAX wall': ('jax', 'wall'), 'JAX 2nd': ('second jax', 'wall')}
NEEDED = {'2nd': {'--second'}, '2nd wall': {'--second'}, 'JAX': {'--jax'}, 'JAX wall': {'--jax'},
          'JAX 2nd': {'--jax', '--second'}}


def cells(found: Mapping[str, Figures | str], columns: Sequence[str]) -> list[float]:
    """The figures of a program; NaN for those that there are not."""
    def figure(process: str, name: str) -> float:
        figures = found.get(process, {})
        return math.nan if isinstance(figures, str) else figures.get(name, math.nan)
    return [figure(*COLUMNS[title]) for title in columns]


def faults(found: Mapping[str, Figures | str]) -> list[str]:
    """What went wrong: a process that failed, or results that differ."""
    said = [f'{process}: {figures}' for process, figures in found.items() if isinstance(figures, str)]
    sums = {process: figures.get('checksum') for process, figures in found.items() if not isinstance(figures, str)}
    first = sums.get('first') or math.nan
    return said + [f'{process}: another result' for process, value in sums.items()
                   if value is not None and not math.isclose(value, first, rel_tol=1e-5)]


def shown(figure: float) -> str:
    return '' if math.isnan(figure) else f'{figure:.0f}' if figure == int(figure) else f'{figure:.2f}'


def show(name: str, texts: Sequence[str]) -> None:
    print(f'{name:22}', *(f'{text:>9}' for text in texts), flush=True)


def summary(rows: Sequence[Sequence[float]], of: str) -> list[float]:
    """The total, or the median, of every column."""
    columns = ([figure for figure in column if not math.isnan(figure)] for column in zip(*rows, strict=True))
    return [(sum if of == 'total' else statistics.median)(column) if column else math.nan for column in columns]


def main(arguments: list[str]) -> None:
    options = {argument for argument in arguments if argument.startswith('--')}
    names = [argument for argument in arguments if not argument.startswith('--')] or list(PROGRAMS)
    titles = [title for title in COLUMNS if options >= NEEDED.get(title, set())]
    if '--jax' in options and not HAS_JAX:
        print('JAX is not installed: its columns stay empty')
    rows = {}
    for name in names:
        found = measure(name, '--jax' in options, '--second' in options)
        rows[name] = cells(found, titles)
        print(name, *map(shown, rows[name]), *faults(found), file=sys.stderr, flush=True)
    show('', titles)
    for name in sorted(rows, key=lambda name: -rows[name][titles.index('first')]):
        show(name, list(map(shown, rows[name])))
    for of in ('total', 'median'):
        show(of, list(map(shown, summary(list(rows.values()), of))))
    if '--jax' in options and HAS_JAX:
        over = [[row[titles.index('first')] / row[titles.index('JAX')]] for row in rows.values()]
        print('median of first over JAX:', shown(*summary(over, 'median')))


if __name__ == '__main__':
    match sys.argv[1:]:
        case ['--here', way, name]:
            print(here(way, name))
        case arguments:
            main(arguments)
