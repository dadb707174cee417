"""Random functions at module level: helpers that return or only write, recursion, functions that take functions."""

from __future__ import annotations

from tests.fuzz.control import Statements, indented
from tests.fuzz.scope import Scope, Shape, Variable

CLASSES = [
    'from dataclasses import dataclass',
    'from typing import NamedTuple',
    '',
    '@dataclass',
    'class State:',
    '    first: object',
    '    second: object',
    '',
    'class Pair(NamedTuple):',
    '    first: object',
    '    second: object',
    '',
]


class Helper(Statements):
    """Statements of a function that returns a value of one shape."""

    def __init__(self, scope: Scope, shape: Shape | None = None):
        super().__init__(scope)
        self.shape = () if shape is None else shape

    def _body(self, inner: Scope, count: int) -> list[str]:
        lines = type(self)(inner, self.shape).block(count)
        self._forget(inner)
        return lines

    def result(self) -> str:
        return self.expression(self.shape)

    def _closure(self) -> None:
        return None

    def _only_in_branch(self) -> None:
        return None


class Procedure(Helper):
    """Statements of a function that returns nothing."""

    def result(self) -> str:
        return ''


def function(scope: Scope) -> list[str]:
    """Some function; the scope learns how it is called."""
    return scope.weighted(
        [
            (6.0, lambda: _helper(scope)),
            (1.5, lambda: _procedure(scope)),
            (1.0, lambda: _recursion(scope)),
            (0.7, lambda: _higher(scope)),
        ]
    )


def _parameters(scope: Scope, shapes: tuple[Shape, ...]) -> tuple[Scope, list[str]]:
    inner = Scope(scope.chance, scope.sizes, counter=scope.counter)
    names = [inner.fresh('p') for _ in shapes]
    for name, shape in zip(names, shapes):
        inner.bind(Variable(name, shape=shape))
    return inner, names


def _helper(scope: Scope) -> list[str]:
    """Perhaps with branches, loops and writes into its arguments."""
    shapes = tuple(scope.pick(scope.shapes) for _ in range(scope.pick((1, 2, 2))))
    result = scope.pick(shapes)
    inner, names = _parameters(scope, shapes)
    body = Helper(inner, result)
    name = scope.fresh('helper')
    lines = [
        f'def {name}({", ".join(names)}):',
        *indented([*body.block(scope.pick((0, 1, 2, 3))), f'return {body.result()}']),
        '',
    ]
    scope.helpers[name] = (shapes, result)
    if result == () and scope.happens(0.2):
        scope.helpers[f'{name}_grad'] = (shapes, shapes[0])
        lines.append(f'{name}_grad = tp.grad({name})')
    if scope.happens(0.1):
        scope.helpers[f'{name}_again'] = (shapes, result)
        lines.append(f'{name}_again = tp.checkpoint({name})')
    return lines


def _procedure(scope: Scope) -> list[str]:
    """It writes into its first argument, and returns nothing."""
    shapes = scope.pick(scope.shapes[1:]), scope.pick(scope.shapes)
    inner, names = _parameters(scope, shapes)
    body = Procedure(inner)
    name = scope.fresh('procedure')
    first = body.block(scope.pick((0, 1, 2)))
    index, picked = body._place(shapes[0])
    value = body.copied('', index, picked, body.expression(body._narrower(picked) if picked else ()))
    write = f'{names[0]}[{index}] {scope.pick(("=", "+=", "*="))} {value}'
    scope.procedures[name] = shapes
    return [f'def {name}({", ".join(names)}):', *indented([*first, write]), '']


def _recursion(scope: Scope) -> list[str]:
    """It calls itself: a number of times that an argument gives, or on halves of an array."""
    name, shape = scope.fresh('again'), scope.pick(((), scope.sizes[:1], scope.sizes[1:], scope.sizes))
    inner, (argument,) = _parameters(scope, (shape,))
    body = Helper(inner, shape)
    if shape and scope.happens(0.4):
        size, result = scope.fresh('half'), Helper(inner)
        inner.variables[argument] = Variable(argument, shape=(1, *shape[1:]))
        scope.helpers[name] = ((shape,), ())
        ends = [f'if {argument}.shape[0] < 2:', f'    return {result.expression((), 1)}', f'{size} = {argument}.shape[0] // 2']
        change = [f'{argument}[0] *= 0.5 + {argument}[-1]'] if scope.happens(0.4) else []
        both = scope.pick(('{0}({1}[:{2}]) + 0.7 * {0}({1}[{2}:])', 'np.sin({0}({1}[{2}:])) * {0}({1}[:{2}])'))
        return [f'def {name}({argument}):', *indented([*ends, *change, f'return {both.format(name, argument, size)}']), '']
    count = inner.fresh('n')
    inner.bind(Variable(count, 'int', readonly=True))
    last = body.result()
    statements = body.block(scope.pick((0, 0, 1)))
    again = f'{name}({body.expression(shape)}, {count} - 1)'
    again = scope.pick(('{}', '{} * 0.5', 'np.sin({})', '{} + {}')).format(again, body.atom(shape))
    scope.helpers[name] = ((shape, 'count'), shape)
    return [
        f'def {name}({argument}, {count}):',
        *indented([f'if {count} <= 0:', f'    return {last}', *statements, f'return {again}']),
        '',
    ]


def _higher(scope: Scope) -> list[str]:
    """It calls a function that it gets."""
    name, f = scope.fresh('apply'), scope.fresh('f')
    value = scope.pick(('{0}({0}({1}))', '{0}({1}) * {1}', '{0}({1}) + 0.5 * {0}(2 * {1})', '{0}({1} + 0.1)'))
    scope.higher.append(name)
    return [f'def {name}({f}, p, *more):', f'    return {value.format(f, "p")} + sum(more)', '']
