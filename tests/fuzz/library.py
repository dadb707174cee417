"""Random uses of Python's library, of ranges as values, of text, and of arrays that an index makes."""

from __future__ import annotations

from tests.fuzz.expressions import Expressions
from tests.fuzz.scope import Shape, Variable

OF_ITEMS = (
    'sum(map({function}, {array}))',
    'sorted({array})[{place}]',
    'sorted({array}, key=abs, reverse=True)[{place}]',
    'max({array}, key=abs)',
    'min({array}, key={function})',
    'sum(filter(lambda {name}: {name} > 0.3137, {array}))',
    'functools.reduce(lambda {name}, {other}: 0.5 * {name} * {other} + {name}, {array})',
    'list(itertools.accumulate({array}))[{place}]',
    'sum([{name} * {other} for {name}, {other} in itertools.pairwise({array})])',
    'sum({name} * {other} for {name}, {other} in itertools.product({array}, ({array})[:2]))',
)


class Library(Expressions):
    """`library(shape)` is an expression of that shape by what is no function of NumPy's."""

    def library(self, shape: Shape, depth: int) -> str | None:
        options = [(1.0, lambda: self._items_of_grid(shape, depth))]
        if shape == ():
            options += [(4.0, lambda: self._of_items(depth)), (1.0, self._by_range)]
        if len(shape) == 1:
            options += [(2.0, lambda: self._row(shape, depth))]
        if len(shape) == 2:
            options += [(2.0, lambda: self._columns(shape, depth))]
        return self.scope.weighted(options)

    def _of_items(self, depth: int) -> str:
        size = self.scope.pick(self.scope.sizes)
        name, other = self.scope.fresh('q'), self.scope.fresh('q')
        function = self.scope.pick(('np.sin', 'np.square', f'lambda {name}: {name} * np.cos({name})'))
        array = self.expression((size,), depth - 1)
        form = self.scope.pick(OF_ITEMS)
        return form.format(array=array, function=function, name=name, other=other, place=self.scope.chance.randrange(-size, size))

    def _by_range(self) -> str | None:
        """An item of a range, or what one holds, is an integer."""
        start, step = self.scope.pick((0, 1, 2)), self.scope.pick((1, 2, 3))
        known = f'range({start}, {start + 7}, {step})'
        number = self.atom(())
        return self.scope.pick((f'{known}[1] * {number}', f'len({known}) * {number}', f'({number} if 4 in {known} else 0.5)',
                                f'np.sum(np.array({known}) * {number})'))

    def _row(self, shape: Shape, depth: int) -> str | None:
        if shape[0] < 2:
            return None
        rest = self.expression((shape[0] - 1,), depth - 1)
        number = self.expression((), depth - 1)
        return self.scope.pick((f'np.r_[{number}, {rest}]', f'np.r_[{rest}, {number}]'))

    def _columns(self, shape: Shape, depth: int) -> str | None:
        rows, count = shape
        if count < 2:
            return None
        columns = [self.expression((rows,), depth - 1) for _ in range(count)]
        return f'np.c_[{", ".join(columns)}]'

    def _items_of_grid(self, shape: Shape, depth: int) -> str | None:
        if not shape:
            return None
        cuts = ', '.join(f'0:{size}' for size in shape)
        grid = f'np.mgrid[{cuts}]' + (f'[{self.scope.chance.randrange(len(shape))}]' if len(shape) > 1 else '')
        return f'({grid} * {self.expression(self._narrower(shape), depth - 1)})'

    def asked_of_shapes(self) -> str | None:
        """A test on shapes or other tuples of integers."""
        array: Variable | None = self.scope.find(accept=lambda v: len(v.shape) == 2)
        pair = f'({self.integer()}, {self.integer()})'
        forms = [f'{pair} == ({self.integer()}, 1)', f'{pair} != {pair}']
        forms += [f'{array.text}.shape == {pair}', f'{array.text}.shape != {array.text}.T.shape'] if array else []
        return self.scope.pick(forms)
