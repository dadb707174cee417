"""What is said of a program whose first call is timed."""
from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import transpiler as tp


@dataclass(frozen=True)
class Program:
    """A function as a NumPy user writes it, ending in a number, with a maker of arguments of a small realistic size.

    argnums: the arguments that it is differentiated by
    hessian: whether its second derivative, by the first of them, is what is asked for
    """

    function: Callable[..., Any]
    arguments: Callable[[np.random.Generator], tuple]
    argnums: tuple[int, ...] = (0,)
    hessian: bool = False

    @property
    def name(self) -> str:
        return self.function.__name__

    def given(self) -> tuple:
        """Arguments, the same in every run."""
        return self.arguments(np.random.default_rng(0))


def derivative(program: Program) -> Any:
    """What is compiled: the value and the gradient, or the Hessian."""
    if program.hessian:
        return tp.hessian(program.function, argnums=program.argnums[0])
    return tp.value_and_grad(program.function, argnums=program.argnums)


def lines_of(text: str) -> int:
    """How many lines there are, without empty ones."""
    return sum(bool(line.strip()) for line in text.splitlines())


def lines(program: Program) -> int:
    """The lines of the program, with the functions that it calls."""
    return sum(lines_of(inspect.getsource(one)) for one in called(program.function))


def called(function: Callable[..., Any]) -> Iterator[types.FunctionType]:
    """The function, and those of its module that it, or one of them, names."""
    found, names = {}, [function.__name__]
    module = inspect.getmodule(function)
    while names:
        name = names.pop()
        one = vars(module).get(name)
        if isinstance(one, types.FunctionType) and one.__module__ == module.__name__ and name not in found:
            found[name] = one
            names += one.__code__.co_names
    return iter(found.values())
