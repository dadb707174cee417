"""Random expressions of a given shape."""

from __future__ import annotations

import math

from tests.fuzz.scope import Scope, Shape, Variable

SMOOTH = (
    'np.sin({})',
    'np.cos({})',
    'np.tanh({})',
    'np.exp(-np.square({}))',
    'np.arctan({})',
    'np.sqrt(1.5 + np.square({}))',
    'np.log(1.5 + np.abs({}))',
    '-{}',
    '0.5 * {}',
    'np.exp(0.1 * {})',
    'np.square({})',
    '{} ** 2',
    '({}) / 2',
    'scipy.special.erf({})',
    'np.logaddexp(0.1, {})',
)
KINKED = ('np.abs({})', 'np.maximum({}, 0.1)', 'np.minimum({}, 0.4)', 'np.clip({}, -0.7, 0.8)')
REDUCTIONS = ('np.sum', 'np.sum', 'np.mean', 'np.max', 'np.min', 'np.prod', 'np.var')


class Expressions:
    """`expression(shape)` is the text of a float expression of exactly that shape."""

    def __init__(self, scope: Scope):
        self.scope = scope

    def expression(self, shape: Shape, depth: int = 2) -> str:
        scope = self.scope
        if depth <= 0:
            return self.atom(shape)
        options = [
            (3.0, lambda: self.atom(shape)),
            (3.0, lambda: self._unary(shape, depth)),
            (5.0, lambda: self._binary(shape, depth)),
            (1.0, lambda: self._call(shape, depth)),
            (0.6, lambda: self._choice(shape, depth)),
            (2.0, lambda: self._reduced(shape, depth)),
            (0.7, lambda: self._product(shape, depth)),
            (0.4, lambda: self._mixed(shape, depth)),
            (0.35, lambda: self.comprehended(shape, depth)),
            (0.25, lambda: self.library(shape, depth)),
        ]
        if shape:
            options += [
                (1.2, lambda: self._rearranged(shape, depth)),
                (0.5, lambda: self._where(shape, depth)),
                (0.5, lambda: self._joined(shape, depth)),
            ]
        return scope.weighted(options)

    def atom(self, shape: Shape) -> str:
        scope = self.scope
        options = [(6.0, lambda: self.variable(shape))]
        if shape:
            options += [
                (2.0, lambda: self._part(shape)),
                (0.02, lambda: f'np.ones({shape})'),
                (0.05, lambda: self._stretched(shape)),
            ]
            options += [(1.0, lambda: self._outer(shape))] if len(shape) == 2 else []
        else:
            options += [(2.0, self._element), (0.6, self._integer_value), (1.0, self.constant)]
        found = scope.weighted(options)
        return found if found is not None else self._stretched(shape)

    def constant(self) -> str:
        return self.scope.pick(('0.5', '1.3', '-0.7', '0.25', '2.0', '1', '2', '0.1'))

    def variable(self, shape: Shape) -> str | None:
        found = self.scope.find(accept=lambda v: v.shape == shape)
        return found.text if found else None

    def integer(self) -> str:
        """Some integer expression."""
        found = self.scope.find('int')
        return found.text if found and self.scope.happens(0.8) else str(self.scope.pick((0, 1, 2, 3)))

    def _integer_value(self) -> str | None:
        found = self.scope.find('int')
        return (
            self.scope.pick(('{}', '(2 * {} - 1)', '({} % 3)', '({} // 2)', '({} / 3)', 'float({})')).format(found.text)
            if found
            else None
        )

    def index(self, size: int) -> str:
        """An integer expression that is a valid index of an axis of `size`."""
        scope = self.scope
        inside = scope.find('int', lambda v: v.low is not None and v.high is not None and v.low >= -size and v.high < size)
        if inside and scope.happens(0.7):
            options = [inside.text]
            options += [f'{inside.text} - 1'] if inside.low - 1 >= -size else []
            options += [f'{inside.text} + 1'] if inside.high + 1 < size else []
            return scope.pick(options)
        found = scope.find('int')
        if found and scope.happens(0.5):
            return f'{found.text} % {size}'
        return str(scope.chance.randrange(-size, size))

    def _element(self) -> str | None:
        found = self.scope.find(accept=lambda v: 0 < len(v.shape) and 0 not in v.shape)
        if not found:
            return None
        indices = [self.index(size) for size in found.shape]
        return f'{found.text}[{", ".join(indices)}]'

    def _part(self, shape: Shape) -> str | None:
        """A view of some array that has the shape."""
        found = self.scope.find(accept=lambda v: bool(self._views(v, shape)))
        return self.scope.pick(self._views(found, shape)) if found else None

    def _views(self, variable: Variable, shape: Shape) -> list[str]:
        text, own = variable.text, variable.shape
        views = []
        if len(own) == 1 and len(shape) == 1:
            views += [f'{text}[::-1]'] if own == shape else []
            views += [f'{text}[{k}:{k + shape[0]}]' for k in range(own[0] - shape[0] + 1)] if own != shape else []
            views += [f'{text}[{own[0] - shape[0]}:]', f'{text}[:{shape[0]}]'] if own[0] > shape[0] else []
            views += [f'{text}[::2]'] if (own[0] + 1) // 2 == shape[0] else []
        if len(own) == 2 and own == shape[::-1]:
            views += [f'{text}.T', f'np.transpose({text})']
        if len(own) == 2 and own[1:] == shape and own[0]:
            views += [f'{text}[{self.index(own[0])}]']
        if len(own) == 2 and own[:1] == shape and own[1]:
            views += [f'{text}[:, {self.index(own[1])}]']
        if len(own) == 1 and shape == (*own, 1):
            views += [f'{text}[:, None]', f'{text}.reshape({own[0]}, 1)']
        if len(own) == 1 and shape == (1, *own):
            views += [f'{text}[None, :]']
        if own != shape and own and math.prod(own) == math.prod(shape):
            views += [f'{text}.reshape({", ".join(map(str, shape))})', f'np.reshape({text}, {shape})']
            views += [f'{text}.ravel()'] if len(shape) == 1 else []
        if len(own) == 2 and len(shape) == 2 and own[0] > shape[0] and own[1] == shape[1]:
            views += [f'{text}[{own[0] - shape[0]}:]']
        return views

    def _outer(self, shape: Shape) -> str | None:
        rows, columns = self.variable(shape[:1]), self.variable(shape[1:])
        if rows is None or columns is None:
            return None
        return self.scope.pick(
            (f'np.outer({rows}, {columns})', f'({rows}[:, None] + {columns})', f'({columns} * {rows}.reshape({shape[0]}, 1))')
        )

    def _stretched(self, shape: Shape) -> str:
        """An array of the shape from a number."""
        number = self.variable(()) or self.constant()
        return f'np.full({shape}, {number} * 1.0)' if shape else number

    def _unary(self, shape: Shape, depth: int) -> str:
        template = self.scope.pick(KINKED if self.scope.happens(0.15) else SMOOTH)
        return template.format(f'({self.expression(shape, depth - 1)})')

    def _narrower(self, shape: Shape) -> Shape:
        """A shape that broadcasts to `shape`."""
        if self.scope.happens(0.6):
            return shape
        if self.scope.happens(0.4):
            return ()
        kept = shape[self.scope.chance.randrange(len(shape) + 1) :]
        return tuple(1 if self.scope.happens(0.2) else size for size in kept)

    def _binary(self, shape: Shape, depth: int) -> str:
        left, right = self.expression(shape, depth - 1), self.expression(self._narrower(shape), depth - 1)
        if self.scope.happens(0.4):
            left, right = right, left
        operator = self.scope.pick(('+', '+', '-', '*', '*', '*', '/', 'arctan2', 'hypot'))
        if operator == '/':
            return f'({left}) / (1.2 + np.square({right}))'
        if operator == 'arctan2':
            return f'np.arctan2({left}, 1.1 + np.abs({right}))'
        if operator == 'hypot':
            return self.scope.pick(('np.maximum', 'np.minimum', 'np.hypot')) + f'({left}, 0.2 + {right})'
        return f'(({left}) {operator} ({right}))'

    def _call(self, shape: Shape, depth: int) -> str | None:
        scope = self.scope
        if scope.higher and scope.happens(0.3):
            more = ''.join(f', {self.atom(())}' for _ in range(scope.pick((0, 0, 1, 2))))
            return f'{scope.pick(scope.higher)}({self._function(shape)}, {self.atom(shape)}{more})'
        fitting = [name for name, (_, result) in scope.helpers.items() if result == shape]
        if not fitting:
            return None
        name = scope.pick(fitting)
        arguments = [self._argument(s, depth) for s in scope.helpers[name][0]]
        if name.endswith('_grad') and scope.helpers[name][0][0] == ():
            arguments[0] = f'1.0 * {arguments[0]}'
        return f'{name}({", ".join(arguments)})'

    def _argument(self, shape: Shape | str, depth: int) -> str:
        if shape == 'count':
            return f'{self.integer()} % 4'
        return self.expression(shape, depth - 1) if self.scope.happens(0.4) else self.atom(shape)

    def _function(self, shape: Shape) -> str:
        """A function of one value of the shape, which gives another."""
        fitting = [name for name, (taken, result) in self.scope.helpers.items() if taken == (shape,) and result == shape]
        if fitting and self.scope.happens(0.7):
            return self.scope.pick(fitting)
        parameter = self.scope.fresh('q')
        inner = self.scope.inner()
        inner.bind(Variable(parameter, shape=shape, readonly=True))
        return self.scope.pick(('np.sin', 'np.square', f'lambda {parameter}: {type(self)(inner).expression(shape, 1)}'))

    def comprehended(self, shape: Shape, depth: int) -> str | None:
        """A value made by a comprehension; `Sequences` knows them."""
        return None

    def library(self, shape: Shape, depth: int) -> str | None:
        """A value by Python's library; `Library` knows it."""
        return None

    def asked_of_shapes(self) -> str | None:
        return None

    def _choice(self, shape: Shape, depth: int) -> str:
        return f'({self.expression(shape, depth - 1)} if {self.condition()} else {self.expression(shape, depth - 1)})'

    def _reduced(self, shape: Shape, depth: int) -> str | None:
        scope, (n, m) = self.scope, self.scope.sizes
        name = scope.pick(REDUCTIONS)
        if shape == ():
            found = scope.find(accept=lambda v: bool(v.shape))
            inner = found.shape if found else (n,)
            return f'{name}({self.expression(inner, depth - 1)})'
        if len(shape) == 1 and shape[0] in (n, m):
            other = m if shape[0] == n else n
            axis = scope.pick((0, 1, -1))
            inner = (other, shape[0]) if axis == 0 else (shape[0], other)
            return f'{name}({self.expression(inner, depth - 1)}, axis={axis})'
        if len(shape) == 2 and shape.count(1) == 1 and set(shape) <= {1, n, m}:
            axis = shape.index(1)
            other = m if shape[1 - axis] == n else n
            inner = tuple(other if k == axis else size for k, size in enumerate(shape))
            return f'{name}({self.expression(inner, depth - 1)}, axis={axis}, keepdims=True)'
        return None

    def _product(self, shape: Shape, depth: int) -> str | None:
        inner = self.scope.pick(self.scope.sizes)
        left, right = {0: ((inner,), (inner,)), 1: ((*shape, inner), (inner,)), 2: ((*shape[:1], inner), (inner, *shape[1:]))}[
            len(shape)
        ]
        if len(shape) == 2 and self.scope.happens(0.3):
            return f'np.outer({self.expression(shape[:1], depth - 1)}, {self.expression(shape[1:], depth - 1)})'
        form = self.scope.pick(('({} @ {})', 'np.dot({}, {})'))
        return form.format(f'({self.expression(left, depth - 1)})', f'({self.expression(right, depth - 1)})')

    def _mixed(self, shape: Shape, depth: int) -> str:
        return f'({self.integer()} * ({self.expression(shape, depth - 1)}))'

    def _rearranged(self, shape: Shape, depth: int) -> str | None:
        if len(shape) == 1 and shape[0] == min(self.scope.sizes) and self.scope.happens(0.2):
            form = self.scope.pick(('np.diagonal({})', '({}).diagonal()', 'np.diag({})'))
            return form.format(self.expression(self.scope.sizes, depth - 1))
        if len(shape) == 1:
            form = self.scope.pick(('np.cumsum({})', '({})[::-1]', 'np.roll({}, 1)', '({}).copy()'))
            return form.format(self.expression(shape, depth - 1))
        return f'({self.expression(shape[::-1], depth - 1)}).T'

    def _where(self, shape: Shape, depth: int) -> str:
        test = f'{self.atom(shape)} > {self.scope.pick(("0.1", "0.3", self.atom(self._narrower(shape))))}'
        return f'np.where({test}, {self.expression(shape, depth - 1)}, {self.expression(self._narrower(shape), depth - 1)})'

    def _joined(self, shape: Shape, depth: int) -> str | None:
        if shape[0] < 2:
            return None
        cut = self.scope.chance.randrange(1, shape[0])
        parts = [self.expression((size, *shape[1:]), depth - 1) for size in (cut, shape[0] - cut)]
        return f'np.concatenate(({parts[0]}, {parts[1]}))'

    def condition(self) -> str:
        """A test on values or integers."""
        scope = self.scope
        plain = lambda: (
            f'{self.expression((), 1)} {scope.pick(("<", ">", "<=", ">="))} {scope.pick(("0.3", "0.0", "0.8", self.atom(())))}'
        )
        return scope.weighted(
            [
                (5.0, plain),
                (2.0, lambda: f'{self.integer()} % 2 == {scope.pick((0, 1))}'),
                (1.0, lambda: f'{self.integer()} < {scope.pick((1, 2))}'),
                (0.5, lambda: f'not ({plain()})'),
                (0.7, lambda: f'({plain()}) {scope.pick(("and", "or"))} ({plain()})'),
                (0.4, lambda: f'-0.4 < {self.atom(())} < 0.9'),
                (0.3, self.asked_of_shapes),
            ]
        )
