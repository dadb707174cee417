"""Random loops over arrays and containers, comprehensions, lists that grow, triangular nests."""

from __future__ import annotations

from tests.fuzz.exits import Exits
from tests.fuzz.scope import Scope, Variable
from tests.fuzz.statements import Lines


class Sequences(Exits):
    """`over` is a loop over something that is no range; `growing` a list that grows; both are statements."""

    def over(self) -> Lines | None:
        scope = self.scope
        head = scope.weighted(
            [(2.0, self._over_rows), (2.0, self._over_several), (0.7, self._over_parts), (0.7, self._over_items)]
        )
        if head is None:
            return None
        line, bound = head
        inner = scope.inner(loops=scope.loops + 1, may_continue=True)
        for variable in bound:
            inner.bind(variable)
        self._unbound(inner)
        body = [f'    {text}' for text in self._body(inner, scope.pick((1, 1, 2)))]
        return [line, *body, *self.else_()]

    def _array(self, rank: int | None = None) -> Variable | None:
        return self.scope.find(accept=lambda v: bool(v.shape) and 0 not in v.shape and rank in (None, len(v.shape)))

    def _item(self, array: Variable) -> Variable:
        return Variable(self.scope.fresh('r'), shape=array.shape[1:])

    def _over_rows(self) -> tuple[str, list[Variable]] | None:
        """The items of an array, perhaps backwards; the rows of a matrix are views of it."""
        array = self._array()
        if not array:
            return None
        form = self.scope.pick(('{}', '{}', '{}', 'reversed({})', '{}[::-1]', '{}[1:]', '{}.copy()'))
        item = self._item(array)
        return f'for {item.text} in {form.format(array.text)}:', [item]

    def _over_several(self) -> tuple[str, list[Variable]] | None:
        first, second = self._array(), self._array()
        if not first or not second:
            return None
        items = [self._item(first), self._item(second)]
        names, arrays = f'{items[0].text}, {items[1].text}', f'{first.text}, {second.text}'
        shortest = min(first.shape[0], second.shape[0])
        counter = Variable(self.scope.fresh('i'), 'int', low=0, high=shortest - 1, readonly=True)
        one = Variable(counter.text, 'int', low=0, high=first.shape[0] - 1, readonly=True)
        return self.scope.pick(
            (
                (f'for {names} in zip({arrays}):', items),
                (f'for {one.text}, {items[0].text} in enumerate({first.text}):', [one, items[0]]),
                (f'for {counter.text}, ({names}) in enumerate(zip({arrays})):', [counter, *items]),
                (f'for {one.text}, {items[0].text} in zip(range({first.shape[0]}), {first.text}):', [one, items[0]]),
                (f'for {counter.text} in reversed(range({shortest})):', [counter]),
                (f'for {counter.text} in tp.checkpointed(range({shortest}), snapshots={self.scope.pick((1, 2, 3))}):', [counter]),
            )
        )

    def _over_parts(self) -> tuple[str, list[Variable]] | None:
        """The parts of a tuple or list of values of one shape."""
        first = self.scope.find()
        second = self.scope.find(accept=lambda v: first is not None and v.shape == first.shape)
        if not first or not second:
            return None
        item = Variable(self.scope.fresh('r'), shape=first.shape)
        form = self.scope.pick(('({}, {})', '[{}, {}]', 'reversed([{}, {}])'))
        return f'for {item.text} in {form.format(first.text, second.text)}:', [item]

    def _over_items(self) -> tuple[str, list[Variable]] | None:
        first = self.scope.find()
        second = self.scope.find(accept=lambda v: first is not None and v.shape == first.shape)
        if not first or not second:
            return None
        item, key = Variable(self.scope.fresh('r'), shape=first.shape), self.scope.fresh('key')
        pairs = f"{{'a': {first.text}, 'b': {second.text}}}"
        return self.scope.pick(
            ((f'for {key}, {item.text} in {pairs}.items():', [item]), (f'for {item.text} in {pairs}.values():', [item]))
        )

    def growing(self) -> Lines | None:
        """A list that a loop appends to, and what is made of it."""
        scope = self.scope
        shape, name, counter = scope.pick(((), (), scope.sizes[:1], scope.sizes[1:])), scope.fresh('list'), scope.fresh('i')
        turns, always = scope.pick((1, 2, 3)), scope.happens(0.5)
        inner = scope.inner(loops=scope.loops + 1)
        inner.bind(Variable(counter, 'int', low=0, high=turns - 1, readonly=True))
        self._unbound(inner)
        body = self._body(inner, 1) if scope.happens(0.5) else []
        appended = type(self)(inner).expression(shape)
        append = (
            [f'{name}.append({appended})']
            if always
            else [f'if {type(self)(inner).condition()}:', f'    {name}.append({appended})']
        )
        looked = self._looked_at(inner, name, shape) if scope.happens(0.3) else []
        anew = self._anew(inner, name, shape) if scope.happens(0.25) else []
        first = self.expression(shape, 1)
        lines = [
            f'{name} = [{first}]',
            f'for {counter} in range({turns}):',
            *(f'    {line}' for line in [*body, *append, *looked, *anew]),
        ]
        always = always and not anew and not self.is_left([*body, *looked])
        if always and scope.happens(0.4):
            made = scope.fresh('t')
            scope.bind(Variable(made, shape=(turns + 1, *shape)))
            return [*lines, f'{made} = {"np.stack" if shape and scope.happens(0.5) else "np.array"}({name})']
        total = scope.fresh('t' if shape else 's')
        form = scope.pick(
            ('{0}[-1] + {0}[0]', 'sum({0})', 'np.sum(np.array({0}), axis=0)', '{0}.pop() * {0}[0]', '{0}[len({0}) // 2]')
        )
        if 'pop' in form and not always:
            form = 'sum({0})'
        scope.bind(Variable(total, shape=shape))
        return [*lines, f'{total} = {form.format(name)}']

    def _looked_at(self, inner: Scope, name: str, shape: tuple[int, ...]) -> Lines:
        """What a turn does with a list to which it has appended."""
        form, shape = self.scope.pick((('{0}[-1]', shape), ('{0}[0]', shape), ('sum({0})', shape), ('1.0 * len({0})', ())))
        seen = Variable(self.scope.fresh('t' if shape else 's'), shape=shape)
        inner.bind(seen)
        return [f'{seen.text} = {form.format(name)}', *self._body(inner, 1)]

    def _anew(self, inner: Scope, name: str, shape: tuple[int, ...]) -> Lines:
        """A turn gives the name of a list to another one, made of its items; a third name may keep the one before."""
        here, item, before = type(self)(inner), self.scope.fresh('r'), self.scope.fresh('list')
        form = self.scope.pick(
            (
                '{0} = [{1} * {2} for {2} in {0}]',
                '{0} = {0}[1:] + [{1}]',
                '{0} = [{1}, *{0}[::-1]]',
                '{0} = [0.5 * (a + {2}) for a, {2} in zip({0}, {0}[1:])] + [{1}]',
                '{3} = {0}; {0} = [{1} - {2} for {2} in {3}]; {0}.append({3}[-1])',
                '{3} = []; {3}.append({1}); {0} = {3} + {0}',
            )
        )
        lines = form.format(name, here.expression(shape, 1), item, before).split('; ')
        return lines if self.scope.happens(0.6) else [f'if {here.condition()}:', *(f'    {line}' for line in lines)]

    def comprehended(self, shape: tuple[int, ...], depth: int) -> str | None:
        """An expression made by a comprehension."""
        scope = self.scope
        if shape == ():
            array = self._array()
            if not array:
                return None
            item = self._item(array)
            inner = scope.inner()
            inner.bind(item)
            body = type(self)(inner).expression((), depth - 1)
            test = f' if {type(self)(inner).condition()}' if scope.happens(0.3) else ''
            form = scope.pick(('sum([{} for {} in {}{}])', 'sum({} for {} in {}{})', 'sum([{} for {} in reversed({}){}])'))
            return form.format(body, item.text, array.text, test)
        counter = scope.fresh('i')
        inner = scope.inner()
        inner.bind(Variable(counter, 'int', low=0, high=shape[0] - 1, readonly=True))
        body = type(self)(inner).expression(shape[1:], depth - 1)
        return f'np.array([{body} for {counter} in range({shape[0]})])'

    def _body(self, inner: Scope, count: int) -> Lines:
        raise TypeError('only all statements together know bodies')

    def _unbound(self, inner: Scope) -> None:
        raise TypeError('only all statements together know names')
