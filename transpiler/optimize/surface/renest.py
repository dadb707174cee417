"""Re-nesting: a temporary that is read once moves into its reader, so that nobody sees one operation per line."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import gast

from transpiler.analyses.memory.aliases import Memory, memory
from transpiler.analyses.memory.effects import is_pure, may_raise, memory_reads
from transpiler.core.build import like, linked
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import blocks, callee, contents, defined, is_atom, names, reads, written
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.optimize.rewriting.movable_block import Doings, Line
from transpiler.optimize.rewriting.substitute import substitute
from transpiler.optimize.rewriting.use_counts import occurrences
from transpiler.passes import rewrite
from transpiler.source.writing.emit import spelling_of
from transpiler.source.writing.line_wrapping import WIDTH
from transpiler.values.types import Scalar

SHORT = 80       # a cotangent with a name of its own is nested only into a short line


@rewrite('re-nesting', surface=True)
def renest(core: Core, width: int = WIDTH) -> Core:
    """Nest temporaries into their single reader in the same block, where the line stays short.

    Legal if nothing between the temporary and its reader binds a name that it depends on, writes memory that it reads,
    or has an effect that its errors would come after. The test of a `while` is evaluated many times: nothing moves there.

    >>> from transpiler.passes import show
    >>> show(renest, 't = 2 * x; y = t + 1; return y', temporaries=['t'])
    y = 2 * x + 1
    return y
    """
    nester = _Nester(core, width)
    return unchanged_or(core, nester.block(core.body, 1))


class _Nester:
    def __init__(self, core: Core, width: int):
        self.core, self.width = core, width
        self.memory: Memory = memory(core)
        self.doings = Doings(core, self.memory)
        self.spelling = spelling_of(core)
        self.long: dict[tuple[gast.stmt, int], bool] = {}
        statements = core.statements
        self.reads = Counter(name for s in statements for name in occurrences(s))
        self.definitions = Counter(name for s in statements if (name := defined(s)))

    def block(self, body: Sequence[gast.stmt], depth: int) -> list[gast.stmt]:
        done = [with_blocks(s, [self.block(b, depth + 1) for b in blocks(s)]) if blocks(s) else s for s in body]
        line = Line(done, self.doings, lambda statement: self.is_long(statement, self.width - 4 * depth))
        for place in range(len(done)):
            if self.repeat(line, place):
                continue
            reader = self.reader(line, place)
            nested = None if reader is None else self.nest(line[place], line[reader], depth)
            if reader is not None and nested is not None:
                line.replace(reader, nested)
                line.replace(place, None)
        return line.statements()

    def is_long(self, statement: gast.stmt, room: int) -> bool:
        """Whether some line of a statement and those inside it is longer than that."""
        asked = statement, room
        if asked not in self.long:
            inner = (one for block in blocks(statement) for one in block)
            self.long[asked] = self.spelling.is_longer(statement, room) or any(self.is_long(one, room) for one in inner)
        return self.long[asked]

    def repeat(self, line: Line, place: int) -> bool:
        """Drop the temporary at `place`, if it is so light that every reader may say it again."""
        statement = line[place]
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if self.core.is_temporary(name) and is_pure(value):
                pass
            case _:
                return False
        if self.definitions[name] != 1 or not self.reads[name] and may_raise(value, self.core.types):
            return False
        places = line.all_readers(name, place)
        found = [reader for other in places for reader in _reading(name, line[other])]
        readers, looped = [reader for reader, _ in found], any(again for _, again in found)
        inside, here = sum(occurrences(s).count(name) for s in readers), any(line[other] in readers for other in places)
        if inside != self.reads[name] or inside < 2 and here or any(written(s) == name for s in readers):
            return False
        if not self.is_light(statement, readers, inside, looped):
            return False
        stop = places[-1] + bool(blocks(line[places[-1]])) if places else line.last()
        if not self.is_stable(value) and line.conflict(value, place, stop):
            return False
        new = {other: _replaced(line[other], name, value) for other in places}
        if places and (any(map(line.is_long, new.values())) or set(line.long_between(place, places[-1])) - new.keys()):
            return False
        for other, said in new.items():
            line.replace(other, said)
        line.replace(place, None)
        self.reads.subtract({name: inside})
        self.reads.update(dict.fromkeys(names(value), inside - 1))
        return True

    def is_light(self, statement: gast.Assign, readers: list[gast.stmt], count: int, looped: bool) -> bool:
        """Views and sizes; arithmetic on indices; a test that is an `if` each time; what the user wrote out each time as well."""
        value, type_ = statement.value, self.core.types.get(statement.targets[0].id)
        atoms = all(is_atom(part) for part in gast.iter_child_nodes(value) if isinstance(part, gast.expr))
        match value:
            case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name()], keywords=[]):
                return True
            case (gast.Subscript(value=gast.Attribute(value=gast.Name(), attr='shape'))
                  | gast.Attribute(value=gast.Name(), attr='size')):
                return count <= 2
            case gast.Compare(left=left) if is_atom(left) and is_atom(value.comparators[0]):
                return all(isinstance(s, gast.If) and isinstance(s.test, gast.Name) for s in readers)
            case gast.BinOp(op=gast.Add() | gast.Sub(), left=left, right=right) if atoms and _is_python_int(type_):
                return count <= 2 or isinstance(left, gast.Name) and isinstance(right, gast.Constant)  # `n + 1` needs no name
            case gast.BinOp() if atoms and isinstance(type_, Scalar):
                return count <= 2 and all(s.role == 'primal' for s in readers)
            case gast.Subscript(value=gast.Name(), slice=index) if isinstance(type_, Scalar) and not looped:
                plain = is_atom(index) or isinstance(index, gast.Tuple) and all(map(is_atom, index.elts))
                return plain and count <= 2 and all(s.role == 'primal' and _same_line(s, statement) for s in readers)
        return False

    def is_stable(self, value: gast.expr) -> bool:
        """It gives the same wherever it is evaluated, in one iteration of the loops around it."""
        looked_at = self.memory.of(*memory_reads(value)) & self.memory.written
        return not looked_at and all(self.definitions[n] + (n in self.core.inputs) <= 1 for n in names(value))

    def reader(self, line: Line, place: int) -> int | None:
        """Where the temporary defined at `place` is read, if it may move there."""
        statement = line[place]
        name = defined(statement)
        if isinstance(statement, gast.Assign) and isinstance(self.core.types.get(_base(statement.value)), tuple):
            return None     # one of several results: they are unpacked together
        if not isinstance(statement, gast.Assign) or name is None or self.reads[name] != 1 or self.definitions[name] != 1 \
                or statement.role in ('primal', 'tangent') and not self.core.is_temporary(name):
            return None
        reader = line.next_reader(name, place)
        if reader is None or not is_pure(statement.value) and not line.is_next(place, reader):
            return None
        if line.conflict(statement.value, place, reader):
            return None
        other = line[reader]
        movable = written(other) != name and not isinstance(other, gast.While) and self.fits(line, place, reader)
        return reader if movable else None

    @staticmethod
    def fits(line: Line, place: int, reader: int) -> bool:
        """Derivatives are returned by name, and a value of the primal does not wait for the pullback."""
        return not isinstance(line[reader], gast.Return) or line.all_primal(place, reader)

    def nest(self, statement: gast.stmt, reader: gast.stmt, depth: int) -> gast.stmt | None:
        name = statement.targets[0].id
        if not is_pure(statement.value) and not _evaluates_first(reader, name):
            return None
        value = _told(statement.value, self.core.types.get(name))
        nested = substitute(reader, lambda read: value if read == name else None)
        if callee(statement.value) is not None and links(statement.value).writes != frozenset():
            return None     # what it changes is looked for in statements
        if isinstance(reader, gast.Assign) and isinstance(reader.value, gast.Name):
            nested = like(nested, origin=statement.origin)      # a copy: the line that computes says more
        width = self.width if self.core.is_temporary(name) else min(self.width, SHORT)
        too_long = self.spelling.is_longer(nested, width - 4 * depth)
        return None if too_long and not isinstance(statement.value, (gast.Name, gast.Constant)) else nested


def _reading(name: str, statement: gast.stmt, again: bool = False) -> Iterator[tuple[gast.stmt, bool]]:
    """The statements in a statement that read a name, itself first, and whether they stand in loops."""
    if name not in contents(statement).reads:
        return
    if name in reads(statement):
        yield statement, again
    for block in blocks(statement):
        for inner in block:
            yield from _reading(name, inner, again or isinstance(statement, (gast.For, gast.While)))


def _replaced(statement: gast.stmt, name: str, value: gast.expr) -> gast.stmt:
    """The statement with `value` for `name` in it and in its blocks."""
    new = substitute(statement, lambda read: value if read == name else None)
    return with_blocks(new, [[_replaced(s, name, value) for s in block] for block in blocks(new)]) if blocks(new) else new


def _told(value: gast.expr, type_: object) -> gast.expr:
    """The value, which tells still that it is one number where the name that was of that type has gone."""
    return linked(value, number=True) if isinstance(type_, Scalar) and not is_atom(value) else value


def _is_python_int(type_: object) -> bool:
    return isinstance(type_, Scalar) and type_.weak and type_.dtype.kind == 'i'


def _base(value: gast.expr) -> str:
    return value.value.id if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) else ''


def _same_line(a: gast.stmt, b: gast.stmt) -> bool:
    one, two = getattr(a, 'origin', None), getattr(b, 'origin', None)
    return one is two or one is not None and two is not None and (one.file, one.line) == (two.file, two.line)


def _evaluates_first(reader: gast.stmt, name: str) -> bool:
    """Nothing with an effect, and nothing that could see one, is evaluated in `reader` before `name`."""
    match reader:
        case gast.Assign(targets=[gast.Name()], value=value) | gast.Return(value=value):
            return names(value)[:1] == (name,) and is_pure(value)
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.put' | 'tape.push'), args=[_, *index, gast.Name(id=read)])):
            return read == name and all(map(is_atom, index))
    return False
