"""Random branches, loops, nested functions and early returns, and blocks of statements of all kinds."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.memory import MemoryStatements
from tests.fuzz.scope import Scope, Variable
from tests.fuzz.sequences import Sequences
from tests.fuzz.statements import Lines


def indented(lines: Lines) -> Lines:
    return ['    ' + line for line in lines]


class Statements(Sequences, MemoryStatements):
    """`block(count)` is a list of lines; the scope learns what they bind."""

    def block(self, count: int) -> Lines:
        lines: Lines = []
        for _ in range(count):
            lines += self.statement()
        return lines

    def statement(self) -> Lines:
        scope = self.scope
        top = not scope.loops and not scope.branches
        options: list[tuple[float, Callable[[], Lines | None]]] = [
            (5.0, self._assign),
            (2.5, self._augmented),
            (4.0, self._write),
            (1.2, self._gather),
            (0.8, self._unpack),
            (0.7, self._integer_update),
            (0.25, self._alias),
            (0.3, self._container),
            (1.2, self.memory_write),
            (0.6, self._procedure),
        ]
        if scope.loops + scope.branches < 3:
            options += [(2.0, self._if), (2.0, self._for), (0.8, self._while), (0.8, self._recurrence)]
            options += [(1.2, self.over), (0.5, self.growing)]
        options += [(1.5, self.exit_)] if scope.loops else [(0.25, self._return)]
        if top:
            options += [(0.4, self._closure), (0.2, self._writing_closure), (0.4, self._only_in_branch), (0.5, self._rebind)]
        return scope.weighted(options) or ['pass']

    def _body(self, inner: Scope, count: int) -> Lines:
        lines = type(self)(inner).block(count)
        self._forget(inner)
        return lines

    def _forget(self, inner: Scope) -> None:
        """Integers that an inner block may have changed have unknown bounds from now on."""
        for name, variable in self.scope.variables.items():
            if variable.kind == 'int' and inner.variables.get(name) != variable:
                self.scope.variables[name] = Variable(name, 'int')

    def _if(self) -> Lines:
        scope = self.scope
        test = self.condition()
        inner = [scope.inner(branches=scope.branches + 1) for _ in range(scope.pick((1, 1, 2, 2, 3)))]
        lines = [f'if {test}:', *indented(self._body(inner[0], scope.pick((1, 1, 2))))]
        for position, arm in enumerate(inner[1:], 1):
            head = f'elif {self.condition()}:' if len(inner) == 3 and position == 1 else 'else:'
            lines += [head, *indented(self._body(arm, scope.pick((1, 1, 2))))]
        if lines[-1].startswith('    ') and any(line.startswith('else') for line in lines):
            for name, variable in inner[0].variables.items():
                if all(arm.variables.get(name) == variable for arm in inner):
                    scope.variables.setdefault(name, variable)
        return lines

    def _only_in_branch(self) -> Lines:
        """A name that exists under a test only, read under the same test."""
        scope = self.scope
        flag, name, test = scope.fresh('b'), scope.fresh('o'), self.condition()
        shape = scope.pick(scope.shapes)
        lines = [f'{flag} = {test}', f'if {flag}:', f'    {name} = {self.expression(shape)}', *self.block(1)]
        inner = scope.inner(branches=scope.branches + 1)
        inner.bind(Variable(name, shape=shape))
        result = self._target(())
        if result not in scope.variables:
            lines.append(f'{result} = {self.atom(())}')
        scope.bind(Variable(result))
        return [*lines, f'if {flag}:', f'    {result} = {result} + np.sum({name} * {type(self)(inner).atom(shape)})']

    def _range(self) -> tuple[str, list[int] | None]:
        """The text of a range and the turns it takes, if that is known."""
        scope, (n, m) = self.scope, self.scope.sizes
        known = scope.pick(
            (
                (n,),
                (1, n),
                (n - 1, -1, -1),
                (0, n, 2),
                (m,),
                (2,),
                (0,),
                (3, 3),
                (n - 2, 0, -1),
                (1, n, 3),
                (-1, 2),
                (n - 1, 0, -2),
            )
        )
        array = scope.find(accept=lambda v: len(v.shape) == 1 and v.shape[0] > 1)
        integer = scope.find('int')
        if array and scope.happens(0.3):
            size = array.shape[0]
            text, turns = scope.pick(
                (
                    (f'{array.text}.shape[0]', range(size)),
                    (f'1, len({array.text})', range(1, size)),
                    (f'{array.text}.size - 1, -1, -1', range(size - 1, -1, -1)),
                    (f'{array.text}.size - 1, -1, -2', range(size - 1, -1, -2)),
                    (f'{array.text}.size - 1, 0, -3', range(size - 1, 0, -3)),
                    (f'0, {array.text}.size, 2', range(0, size, 2)),
                )
            )
            return f'range({text})', list(turns)
        if integer and scope.happens(0.3):
            low, high = integer.low, integer.high
            if low is not None and low >= 0 and high is not None:
                triangle = (f'range({integer.text})', range(high)), (f'range({integer.text} + 1)', range(high + 1))
                rest = (f'range({integer.text}, {n})', range(low, n)), (f'range({n} - 1, {integer.text}, -1)', range(low + 1, n))
                text, turns = scope.pick((*triangle, *rest))
                return text, list(turns)
            return f'range({integer.text} % 4)', [0, 1, 2]
        return f'range({", ".join(map(str, known))})', list(range(*known))

    def _for(self) -> Lines:
        scope = self.scope
        text, turns = self._range()
        name = scope.fresh('i')
        inner = scope.inner(loops=scope.loops + 1, may_continue=True)
        bounds = (min(turns), max(turns)) if turns else (0, 0)
        inner.bind(Variable(name, 'int', low=bounds[0], high=bounds[1], readonly=scope.happens(0.8)))
        self._unbound(inner)
        lines = self._body(inner, scope.pick((1, 1, 2, 2, 3)))
        if (
            turns
            and '%' not in text
            and not self.is_left(lines)
            and scope.happens(0.3)
            and text.replace('-', '').strip('range()').replace(', ', '').isdigit()
        ):
            for variable in inner.variables.values():
                scope.variables.setdefault(variable.text, Variable(name, 'int') if variable.text == name else variable)
        return [f'for {name} in {text}:', *indented(lines), *self.else_()]

    def _unbound(self, inner: Scope) -> None:
        """In a loop, integers bound before it may be changed by an earlier turn."""
        for name, variable in inner.variables.items():
            if variable.kind == 'int' and not variable.readonly and name in self.scope.variables:
                inner.variables[name] = Variable(name, 'int')

    def _recurrence(self) -> Lines | None:
        """A value carried through a loop of its own, and read after it."""
        scope = self.scope
        found, counter = scope.find(accept=lambda v: not v.readonly), scope.fresh('j')
        if not found:
            return None
        turns = scope.pick((1, 2, 3))
        inner = scope.inner(loops=scope.loops + 1)
        inner.bind(Variable(counter, 'int', low=0, high=turns - 1, readonly=True))
        factor = type(self)(inner).atom(self._narrower(found.shape) if found.shape else ())
        step = scope.pick(('{0} = {0} * {1}', '{0} = np.sin({0}) + {1}', '{0} = {0} * {0} - {1}', '{0} *= {1}')).format(
            found.text, factor
        )
        total = scope.find(accept=lambda v: not v.readonly and v.shape == ()) or Variable(scope.fresh('s'))
        first = [f'{total.text} = 0.5'] if total.text not in scope.variables else []
        scope.bind(total)
        read = f'np.sum(np.square({found.text}))' if found.shape else f'{found.text} * {found.text}'
        last = [f'{total.text} = {total.text} + {read}'] if total.text != found.text else []
        head = scope.pick((f'for {counter} in range({turns}):', f'for {counter} in range({turns - 1}, -1, -1):'))
        if scope.happens(0.4):
            return [*first, f'{counter} = 0', f'while {counter} < {turns}:', f'    {step}', f'    {counter} += 1', *last]
        return [*first, head, f'    {step}', *last]

    def _while(self) -> Lines:
        scope = self.scope
        name, first = scope.fresh('k'), scope.happens(0.3)
        inner = scope.inner(loops=scope.loops + 1, may_continue=first)
        turns = scope.pick((0, 1, 2, 3))
        inner.bind(Variable(name, 'int', low=0, high=turns, readonly=True))
        self._unbound(inner)
        test = f'{name} < {turns}'
        if scope.happens(0.4):
            test += f' and ({self.condition()})'
        body = self._body(inner, scope.pick((1, 1, 2, 2)))
        step = [f'{name} += 1']
        body = step + body if first else body + step
        scope.bind(Variable(name, 'int', low=0, high=turns + 1))
        return [f'{name} = 0', f'while {test}:', *indented(body), *self.else_()]

    def _return(self) -> Lines:
        return [f'if {self.condition()}:', f'    return {self.result()}']

    def result(self) -> str:
        """What the function returns."""
        return self.expression((), 1)

    def _closure(self) -> Lines:
        """A nested function that reads variables of the outer one when it is called."""
        scope = self.scope
        name, shape = scope.fresh('h'), scope.pick(scope.shapes)
        inner = scope.inner(helpers={})
        parameter = scope.fresh('q')
        inner.bind(Variable(parameter, shape=shape, readonly=True))
        for key, variable in list(inner.variables.items()):
            inner.variables[key] = Variable(variable.text, variable.kind, variable.shape, readonly=True)
        body = type(self)(inner).expression(shape)
        scope.helpers[name] = ((shape,), shape)
        if scope.happens(0.4):
            return [f'{name} = lambda {parameter}: {body}']
        return [f'def {name}({parameter}):', f'    return {body}']

    def _writing_closure(self) -> Lines | None:
        """A nested function that writes into arrays of the outer one."""
        scope = self.scope
        name, inner = scope.fresh('h'), scope.inner(helpers={})
        write = type(self)(inner)._write()
        if write is None:
            return None
        scope.procedures[name] = ()
        return [f'def {name}():', *indented(write)]

    def _procedure(self) -> Lines | None:
        """A call of a function that only writes."""
        scope = self.scope
        if not scope.procedures:
            return None
        name = scope.pick(list(scope.procedures))
        shapes = scope.procedures[name]
        if not shapes:
            return [f'{name}()']
        first = self.variable(shapes[0]) if scope.happens(0.7) else self._part(shapes[0])
        if first is None:
            return None
        return [f'{name}({", ".join([first, *(self._argument(shape, 1) for shape in shapes[1:])])})']
