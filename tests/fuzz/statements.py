"""Random statements without control flow: assignments, writes into arrays, aliases, containers."""

from __future__ import annotations

from tests.fuzz.library import Library
from tests.fuzz.scope import Shape, Variable

Lines = list[str]


class SimpleStatements(Library):
    """One method per kind: it gives lines, or None where it does not apply, and tells the scope what they bind."""

    def _target(self, shape: Shape) -> str:
        """A name for a value of this shape: a new one, or one that has such a value."""
        old = self.scope.find(accept=lambda v: v.shape == shape and not v.readonly)
        if old and self.scope.happens(0.65 if self.scope.loops + self.scope.branches else 0.4):
            return old.text
        return self.scope.fresh('t' if shape else 's')

    def _assign(self) -> Lines:
        shape = self.scope.pick(self.scope.shapes)
        value = self.expression(shape)
        name = self._target(shape)
        self.scope.bind(Variable(name, shape=shape))
        return [f'{name} = {value}']

    def _rebind(self) -> Lines | None:
        """A name changes its shape, which is fine outside of branches and loops."""
        old = self.scope.find(accept=lambda v: not v.readonly)
        if not old:
            return None
        shape = self.scope.pick(self.scope.shapes)
        value = self.expression(shape)
        self.scope.bind(Variable(old.text, shape=shape))
        return [f'{old.text} = {value}']

    def _augmented(self) -> Lines | None:
        found = self.scope.find(accept=lambda v: not v.readonly)
        if not found:
            return None
        value = self.expression(self._narrower(found.shape) if found.shape else ())
        operator = self.scope.pick(('+', '+', '-', '*', '/'))
        return [f'{found.text} /= 1.3 + np.square({value})' if operator == '/' else f'{found.text} {operator}= {value}']

    def _place(self, shape: Shape) -> tuple[str, Shape]:
        """An index into an array of `shape`, and the shape of what it picks."""
        scope = self.scope
        entries, picked = [], []
        for size in shape:
            kind = scope.pick(('element', 'element', 'tail', 'all', 'head', 'middle', 'step'))
            if kind == 'element' or size == 1:
                entries.append(self.index(size))
                continue
            start = scope.chance.randrange(1, size)
            text, length = {
                'tail': (f'{start}:', size - start),
                'all': (':', size),
                'head': (f':{start}', start),
                'step': ('::2', (size + 1) // 2),
                'middle': (f'{start - 1}:{size - 1}', size - start),
            }[kind]
            entries.append(text)
            picked.append(length)
        if len(shape) == 2 and entries[1] == ':':
            entries.pop()
        return ', '.join(entries), tuple(picked)

    def _write(self) -> Lines | None:
        scope = self.scope
        found = scope.find(accept=lambda v: bool(v.shape))
        if not found:
            return None
        index, picked = ('...', found.shape) if scope.happens(0.05) else self._place(found.shape)
        value = self.expression(self._narrower(picked) if picked else ())
        if scope.happens(0.45):
            return [f'{found.text}[{index}] {scope.pick(("+", "+", "-", "*"))}= {value}']
        return [f'{found.text}[{index}] = {self.copied(found.text, index, picked, value)}']

    @staticmethod
    def copied(name: str, index: str, picked: Shape, value: str) -> str:
        """The value of `name[index] = value`: NumPy itself copies overlapping memory wrongly where the steps differ."""
        alike = bool(name) and value.startswith(f'{name}[') and not any(mark in index + value for mark in (',', '::', '.'))
        return value if alike or not picked else f'1.0 * ({value})'

    def _gather(self) -> Lines | None:
        """A read or a write by a list of indices, in which places may repeat, or by a mask."""
        scope = self.scope
        found = scope.find(accept=lambda v: bool(v.shape) and v.shape[0] > 0)
        if not found:
            return None
        if scope.happens(0.3):
            value = self.expression(())
            return [f'{found.text}[{found.text} > 0.3137] {scope.pick(("=", "+=", "*="))} {value}']
        rows = self.rows(found.shape[0])
        picked = (3, *found.shape[1:])
        if scope.happens(0.3):
            name = scope.fresh('t')
            scope.bind(Variable(name, shape=picked))
            return [f'{name} = {found.text}[{rows}]']
        value = self.expression(self._narrower(picked))
        if scope.happens(0.4):
            return [f'np.add.at({found.text}, {rows}, {value})']
        return [f'{found.text}[{rows}] {scope.pick(("=", "+=", "-=", "*="))} {value}']

    def rows(self, size: int) -> str:
        """Three indices of an axis, perhaps those of an argument."""
        given = self.scope.find('indices', lambda v: v.high is not None and v.high < size)
        if given and self.scope.happens(0.6):
            return given.text
        return str([self.scope.chance.randrange(-size, size) for _ in range(3)])

    def _alias(self) -> Lines | None:
        """Another name for an array, or a view of one."""
        scope = self.scope
        shape = scope.pick(scope.shapes[1:])
        source = self.variable(shape) if scope.happens(0.3) else self._part(shape)
        if source is None:
            return None
        name = scope.fresh('v')
        scope.bind(Variable(name, shape=shape))
        return [f'{name} = {source}']

    def _unpack(self) -> Lines:
        scope = self.scope
        left, right = (scope.find(accept=lambda v: not v.readonly) for _ in range(2))
        if left and right and left.shape == right.shape and left != right and scope.happens(0.5):
            return [f'{left.text}, {right.text} = {right.text}, {left.text}']
        shapes = scope.pick(scope.shapes), scope.pick(scope.shapes)
        values = [self.expression(shape, 1) for shape in shapes]
        names = [self._target(shapes[0]), scope.fresh('u')]
        for name, shape in zip(names, shapes):
            scope.bind(Variable(name, shape=shape))
        return [f'{names[0]}, {names[1]} = {values[0]}, {values[1]}']

    def _container(self) -> Lines | None:
        """A tuple or dict of values, read from afterwards."""
        first, second = self.scope.find(), self.scope.find()
        if not first or not second:
            return None
        name = self.scope.fresh('c')
        if self.scope.happens(0.5):
            text, keys = f'({first.text}, {second.text})', ('0', '1')
        else:
            text, keys = f"{{'a': {first.text}, 'b': {second.text}}}", ("'a'", "'b'")
        for key, part in zip(keys, (first, second)):
            self.scope.bind(Variable(f'{name}[{key}]', shape=part.shape, readonly=True))
        return [f'{name} = {text}']

    def _integer_update(self) -> Lines:
        scope = self.scope
        found = scope.find('int', lambda v: not v.readonly)
        if found and scope.happens(0.6):
            scope.bind(Variable(found.text, 'int'))
            return [
                scope.pick(('{0} = {0} + 1', '{0} += 2', '{0} = 2 * {0}', '{0} = {0} - 1', '{0} = {0} % 5')).format(found.text)
            ]
        name, value = scope.fresh('k'), scope.chance.randrange(4)
        scope.bind(Variable(name, 'int'))
        return [f'{name} = {value}']
