"""Random writes that are not plain ones: through views, by `out=`, by ufuncs at indices, swaps of places, objects that change."""

from __future__ import annotations

from tests.fuzz.scope import Shape, Variable
from tests.fuzz.statements import Lines, SimpleStatements

UFUNCS = ('np.add', 'np.subtract', 'np.multiply', 'np.maximum', 'np.minimum')
FUNCTIONS = ('np.sin', 'np.cos', 'np.tanh', 'np.square', 'np.negative', 'np.arctan')


class MemoryStatements(SimpleStatements):
    """`memory_write` is a statement that changes memory in some less usual way."""

    def memory_write(self) -> Lines | None:
        return self.scope.weighted(
            [
                (1.5, self._out),
                (1.0, self._at),
                (1.5, self._swap_places),
                (2.0, self._write_through_view),
                (0.5, self._filled),
                (0.5, self._unpack_rows),
                (0.8, self._object),
            ]
        )

    def _written(self, least: int = 1) -> Variable | None:
        return self.scope.find(accept=lambda v: bool(v.shape) and v.shape[0] >= least and 0 not in v.shape)

    def _out(self) -> Lines | None:
        found = self._written()
        if not found:
            return None
        index, picked = self._place(found.shape)
        target = f'{found.text}[{index}]' if picked and self.scope.happens(0.4) else found.text
        shape = found.shape if target == found.text else picked
        if self.scope.happens(0.4):
            return [f'{self.scope.pick(FUNCTIONS)}({self.expression(shape, 1)}, out={target})']
        left, right = self.expression(shape, 1), self.expression(self._narrower(shape), 1)
        return [f'{self.scope.pick(UFUNCS)}({left}, {right}, out={target})']

    def _at(self) -> Lines | None:
        found = self._written()
        if not found:
            return None
        value = self.expression(self._narrower((3, *found.shape[1:])), 1)
        return [f'{self.scope.pick(UFUNCS[:2])}.at({found.text}, {self.rows(found.shape[0])}, {value})']

    def _swap_places(self) -> Lines | None:
        found = self._written(2)
        if not found:
            return None
        scope, text, size = self.scope, found.text, found.shape[0]
        first, second = self.index(size), self.index(size)
        if len(found.shape) == 2 and scope.happens(0.5):
            copy = scope.pick(('', '.copy()'))
            return [f'{text}[{first}], {text}[{second}] = {text}[{second}]{copy}, {text}[{first}]{copy}']
        if scope.happens(0.25):
            return [f'{text}[[0, {size - 1}]] = {text}[[{size - 1}, 0]]']
        column = f', {self.index(found.shape[1])}' if len(found.shape) == 2 else ''
        return [f'{text}[{first}{column}], {text}[{second}{column}] = {text}[{second}{column}], {text}[{first}{column}]']

    def _write_through_view(self) -> Lines | None:
        """Write into an expression that is a view, or that a copy may have been made of."""
        found = self._written()
        if not found:
            return None
        scope, shape = self.scope, found.shape
        size = shape[0] * (shape[1] if len(shape) == 2 else 1)
        views: list[tuple[str, Shape]] = [('.ravel()', (size,)), ('.reshape(-1)', (size,)), ('[::-1]', shape)]
        if len(shape) == 2:
            views += [('.T', shape[::-1])] * 3 + [(f'[{self.index(shape[0])}]', shape[1:])]
        if shape[0] > 1:
            views += [('[1:]', (shape[0] - 1, *shape[1:]))]
        view, seen = scope.pick(views)
        index, picked = self._place(seen)
        value = self.expression(self._narrower(picked) if picked else ())
        value = self.copied('', index, picked, value)
        return [f'{found.text}{view}[{index}] {scope.pick(("=", "=", "+=", "*=", "-="))} {value}']

    def _filled(self) -> Lines | None:
        found = self._written()
        if not found:
            return None
        if len(found.shape) == 2 and self.scope.happens(0.5):
            return [f'np.fill_diagonal({found.text}, {self.expression((), 1)})']
        return [f'{found.text}.fill({self.expression((), 1)})']

    def _unpack_rows(self) -> Lines | None:
        """The items of an array, each under a name: rows are views."""
        found = self.scope.find(accept=lambda v: bool(v.shape) and 2 <= v.shape[0] <= 3)
        if not found:
            return None
        names = [self.scope.fresh('r') for _ in range(found.shape[0])]
        for name in names:
            self.scope.bind(Variable(name, shape=found.shape[1:]))
        return [f'{", ".join(names)} = {found.text}']

    def _object(self) -> Lines | None:
        """A dataclass, dict or list whose parts are then variables like others; or a named tuple, whose are not."""
        scope = self.scope
        first, second = scope.find(), scope.find()
        if not first or not second or not first.text.isidentifier() or not second.text.isidentifier():
            return None
        name = scope.fresh('state')
        kind = scope.pick(('State', 'State', 'Pair', 'dict', 'list'))
        value, parts = {
            'State': (f'State({first.text}, {second.text})', ('.first', '.second')),
            'Pair': (f'Pair({first.text}, {second.text})', ('.first', '.second')),
            'dict': (f"{{'first': {first.text}, 'second': {second.text}}}", ("['first']", "['second']")),
            'list': (f'[{first.text}, {second.text}]', ('[0]', '[1]')),
        }[kind]
        for part, variable in zip(parts, (first, second)):
            scope.bind(Variable(name + part, shape=variable.shape, readonly=kind == 'Pair'))
        return [f'{name} = {value}']
