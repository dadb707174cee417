"""Whole random programs with arguments: `generate(seed)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.control import Statements, indented
from tests.fuzz.functions import CLASSES, function
from tests.fuzz.scope import Scope, Shape, Variable

MODULES = ('functools', 'itertools', 'scipy.special')


@dataclass(frozen=True)
class Program:
    """The text of a module whose last function is meant, arguments for it, and how to differentiate it."""

    text: str
    args: tuple[Any, ...]
    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False

    def with_text(self, text: str) -> 'Program':
        return replace(self, text=text)


def second_order(program: Program) -> Program:
    """A program whose value is the sum of squares of the gradient of `program`."""
    parameters = [a.arg for a in ast.parse(program.text).body[-1].args.args]
    numbers = (program.argnums,) if isinstance(program.argnums, int) else program.argnums
    terms = [term for position, number in enumerate(numbers) for term in _squares(f'parts[{position}]', program.args[number])]
    call = f'derivative({", ".join(parameters)})'
    lines = [
        'import transpiler as tp',
        program.text,
        f'derivative = tp.grad(program, argnums={numbers}, has_aux={program.has_aux})',
        f'def total({", ".join(parameters)}):',
        f'    parts{", aux" * program.has_aux} = {call}',
        f'    return {" + ".join(terms)}',
    ]
    return replace(program, text='\n'.join(lines) + '\n', has_aux=False)


def _squares(text: str, value: Any) -> list[str]:
    if isinstance(value, dict):
        return [term for key, part in value.items() for term in _squares(f'{text}[{key!r}]', part)]
    if isinstance(value, tuple):
        return [term for key, part in enumerate(value) for term in _squares(f'{text}[{key}]', part)]
    return [f'np.sum({text} * {text})']


class Body(Statements):
    """Statements of a function that returns one number, or that and something else."""

    aux = False

    def result(self) -> str:
        """A number that depends on much of what there is."""
        parts = [self.expression((), 1)]
        for variable in self.scope.variables.values():
            if variable.kind == 'float' and self.scope.happens(0.45):
                parts.append(self._as_number(variable))
        value = ' + '.join(parts)
        if self.scope.happens(0.02):
            value = self.atom(())
        if not self.aux:
            return value
        other = self.scope.find()
        return f'{value}, {other.text if other else 1.0}'

    def _as_number(self, variable: Variable) -> str:
        text = variable.text
        if not variable.shape:
            return self.scope.pick((text, f'{text} * {text}', f'np.sin({text})'))
        return self.scope.pick((f'np.sum({text})', f'np.sum({text} * {text})', f'np.mean(np.cos({text}))', f'{text}.sum()'))


class AuxBody(Body):
    aux = True


def generate(seed: int) -> Program:
    """The program of a seed; always the same one."""
    chance = Random(seed)
    scope = Scope(chance, (chance.choice((1, 2, 3, 4, 4)), chance.choice((1, 2, 3, 3, 4))))
    lines = _globals(scope)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        lines += function(scope)
    parameters, args, prelude, narrow = _parameters(scope)
    has_aux = chance.random() < 0.1
    body = (AuxBody if has_aux else Body)(scope)
    statements = prelude + body.block(chance.choice((2, 3, 4, 5, 6, 8)))
    lines += [f'def program({", ".join(parameters)}):', *indented([*statements, f'return {body.result()}'])]
    floats = [k for k, arg in enumerate(args) if not _is_integer(arg)]
    chosen = tuple(sorted(chance.sample(floats, chance.randint(1, len(floats)))))
    argnums = chosen[0] if len(chosen) == 1 and chance.random() < 0.7 else chosen
    text = '\n'.join(lines)
    imports = ['import numpy as np', *(f'import {module}' for module in MODULES if f'{module}.' in text)]
    imports += ['import transpiler as tp'] if 'tp.' in text else []
    classes = CLASSES if 'State(' in text or 'Pair(' in text else ['']
    text = ast.unparse(ast.parse('\n'.join([*imports, *classes, text]))) + '\n'
    return Program(text, tuple(_narrow(arg) if chance.random() < narrow else arg for arg in args), argnums, has_aux)


def _globals(scope: Scope) -> list[str]:
    if not scope.happens(0.2):
        return []
    scope.bind(Variable('SCALE', readonly=True))
    n, _ = scope.sizes
    scope.bind(Variable('TABLE', shape=(n,), readonly=True))
    return ['SCALE = 0.75', f'TABLE = np.linspace(-0.5, 0.9, {n})', '']


def _parameters(scope: Scope) -> tuple[list[str], list[Any], list[str], float]:
    """Parameters and their arguments; what unpacks those that are containers; how many arguments are float32."""
    n, m = scope.sizes
    values = np.random.default_rng(scope.chance.randrange(2**32))

    def value(shape: Shape) -> Any:
        return values.uniform(-1.1, 1.3, shape) if shape else float(values.uniform(-1.1, 1.3))

    names, args, prelude = [], [], []
    for _ in range(scope.pick((1, 2, 2, 3))):
        shape = scope.pick(((), (n,), (n,), (m,), (n, m), (m, n), (1,), (n, 1), (1, m)))
        name = scope.fresh('x' if shape else 'a')
        names.append(name)
        args.append(value(shape))
        scope.bind(Variable(name, shape=shape))
    if scope.happens(0.15):
        names.append('params')
        shapes = (n, m), (m,)
        if scope.happens(0.5):
            args.append({'w': value(shapes[0]), 'b': value(shapes[1])})
            for key, shape in zip('wb', shapes):
                scope.bind(Variable(f"params['{key}']", shape=shape, readonly=True))
        else:
            args.append((value(shapes[0]), value(())))
            prelude = ['w, s = params']
            scope.bind(Variable('w', shape=shapes[0]))
            scope.bind(Variable('s'))
    if scope.happens(0.3):
        names.append('steps')
        args.append(scope.chance.randrange(4))
        scope.bind(Variable('steps', 'int'))
    if scope.happens(0.12):
        names.append('idx')
        args.append(values.integers(-m, m, 3))
        scope.bind(Variable('idx', 'indices', shape=(3,), low=-m, high=m - 1))
    return names, args, prelude, scope.pick((0.0,) * 20 + (1.0, 0.5))


def _is_integer(arg: Any) -> bool:
    return isinstance(arg, int) or isinstance(arg, np.ndarray) and arg.dtype.kind == 'i'


def _narrow(arg: Any) -> Any:
    if isinstance(arg, np.ndarray) and not _is_integer(arg):
        return arg.astype(np.float32)
    if isinstance(arg, dict):
        return {key: _narrow(value) for key, value in arg.items()}
    return tuple(map(_narrow, arg)) if isinstance(arg, tuple) else arg
