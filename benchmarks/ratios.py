"""What a derivative costs, in units of its primal: `python -m benchmarks.ratios`.

Each row is one program of `benchmarks/programs.py`, timed in one run on this machine. All columns are ratios: the gradient
in plain Python over the primal in plain Python, the same under jit, and the primal in plain Python over the compiled
gradient (how many times faster the derivative is than the code it comes from).
"""
from __future__ import annotations

import timeit
from collections.abc import Callable

from rich.console import Console
from rich.progress import track
from rich.table import Table

import transpiler as tp
from benchmarks.programs import PROGRAMS

ROUNDS = 7


def seconds(function: Callable, args: tuple) -> float:
    """The best of several rounds, each long enough for the clock; the first call, which may compile, is not counted."""
    function(*args)
    timer = timeit.Timer(lambda: function(*args))
    number, _ = timer.autorange()
    return min(timer.repeat(ROUNDS, number)) / number


def row(function: Callable, args: tuple) -> list[float]:
    primal, gradient = seconds(function, args), seconds(tp.grad(function), args)
    compiled, derivative = seconds(tp.jit(function), args), seconds(tp.jit(tp.grad(function)), args)
    return [gradient / primal, derivative / compiled, primal / derivative]


def main() -> None:
    table = Table('program', 'grad / primal, Python', 'grad / primal, jit', 'primal, Python / grad, jit')
    for name, (function, args) in track(PROGRAMS.items(), description='timing', transient=True):
        table.add_row(name, *(f'{ratio:.2f}' for ratio in row(function, args())))
    Console().print(table)


if __name__ == '__main__':
    main()
