"""Names that only some paths define: what they hold where they have no value, and how one knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gast

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.specialize.containers.heap import SEVERAL
from transpiler.specialize.domain.bindings import Binding, Blank, Conflict, Known, Maybe, Ref, Unbound, flatten, fold, leaf_type
from transpiler.specialize.domain.literals import blank_number
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.dims import Dim
from transpiler.values.numbers import is_number, number_type
from transpiler.values.types import Array, Scalar, Tape, Type

Block = list[gast.stmt]


class Presence(Component):
    """`Maybe` bindings and the blanks behind them."""

    def perhaps(
        self,
        frame: Frame,
        base: str,
        given: tuple[Binding, Block],
        temporary: bool,
        defined: Callable[[Presence], Binding],
        reads: frozenset[str] | None = None,
    ) -> Binding:
        """A name that only some paths define, where it is `defined`; a number has become a variable at the end of the block.

        Python notices then when it has no value. Generated code reads its names only where they are defined.
        """
        binding, block = given
        if frame.function is None:
            return binding
        binding = self._as_variable(base, binding, block, temporary)
        if isinstance(binding, Conflict):
            return binding
        if isinstance(binding, Maybe):
            reads = None if reads is None or binding.reads is None else reads | binding.reads
        return Maybe(binding, defined, reads)

    def _as_variable(self, base: str, binding: Binding, block: Block, temporary: bool) -> Binding:
        if isinstance(binding, Container):
            items = tuple(self._as_variable(base, item, block, temporary) for item in binding.items)
            return binding.anew(items)
        if isinstance(binding, Known) and is_number(binding.value):
            variable = self.builder.fresh(base, number_type(binding.value), temporary)
            block.append(build.assign(variable.name, self.ev.operand(binding)[0], self.origin, self.builder.role))
            return variable
        return binding

    def settled(self, base: str, maybe: Maybe, block: Block, otherwise: Binding | None = None) -> tuple[Binding, Binding]:
        """What a name holds at the end of `block` (`otherwise` where it has no value), and whether it has a value."""
        outer, self.builder.block = self.builder.block, block
        found = self._held(base, maybe, iter(flatten(otherwise) if otherwise is not None else ()))
        self.builder.block = outer
        return found

    def _held(self, base: str, maybe: Maybe, otherwise: Iterator[Binding]) -> tuple[Binding, Binding]:
        defined = self.ev.tested(maybe.defined(self.ev))
        if maybe.safe:
            return maybe.binding, defined
        with self.builder.nested() as here:
            inner = maybe.binding
            binding, flag = self._held(base, inner, iter(())) if isinstance(inner, Maybe) else (inner, Known(True))
        if defined == Known(True):
            self.builder.block.extend(here)
            return binding, flag
        elsewhere: Block = []

        def held(leaf: Binding) -> Binding:
            spare = next(otherwise, None)
            return self._either(base, leaf, here, spare or Blank(leaf.type), elsewhere) if isinstance(leaf, Var) else leaf

        if any(isinstance(leaf, Ref) for leaf in flatten(binding)):
            binding = self.ev.held(fold(self.ev.apart_from_cells(binding), held), SEVERAL)
        else:
            binding = fold(binding, held)
        flag = defined if flag == Known(True) else self._either(f'{base}_bound', flag, here, Known(False), elsewhere)
        test = self.ev.operand(defined)[0]
        self.builder.append(build.branch(test, here, elsewhere, self.origin, self.builder.role))
        return binding, flag

    def _either(self, base: str, left: Binding, left_block: Block, right: Binding, right_block: Block) -> Var:
        """One variable that is `left` at the end of one block and `right` at the end of the other."""
        variable = self.builder.fresh(base, leaf_type(left))
        for side, block in ((left, left_block), (right, right_block)):
            outer, self.builder.block = self.builder.block, block
            self.builder.assign(variable.name, self.blank({}, side.type) if isinstance(side, Blank) else self.ev.operand(side)[0])
            self.builder.block = outer
        return variable

    def blank(self, env: dict[str, Binding], type_: Type) -> gast.expr:
        """Something of that type: nobody reads it."""
        if isinstance(type_, Tape):
            return build.name(self.ev.tapes.new_tape().name)
        if not isinstance(type_, Array):
            return blank_number(type_) if isinstance(type_, Scalar) else build.constant(0.0)
        extents = [self.extent(env, dim) or Known(0) for dim in ((None,) if type_.dims is None else type_.dims)]
        made = self.ev.operate_by_name('numpy.empty', [], shape=Tuple(tuple(extents)), dtype=type_.dtype)
        return self.ev.operand(made)[0]

    def blank_type(self, env: dict[str, Binding], type_: Type) -> Type:
        """The type of a variable that starts out blank and gets values of `type_`: sizes are kept if one knows them before."""
        if isinstance(type_, Array) and type_.dims is not None:
            return Array(type_.dtype, tuple(d if self._found(env, d) else None for d in map(self.dim, type_.dims)))
        return type_

    def dim(self, dim: Dim | None) -> Dim | None:
        return None if dim is None else dim.substitute(self.ev.sizes.equal)

    def extent(self, env: dict[str, Binding], dim: Dim | None) -> Binding | None:
        """The size `dim` as a value, read off a variable of `env`."""
        dim = self.dim(dim)
        if dim is not None and dim.is_constant:
            return Known(dim.constant)
        found = self._found(env, dim)
        return self.ev.expressions.size(*found, dim) if isinstance(found, tuple) else found

    def _found(self, env: dict[str, Binding], dim: Dim | None):
        """A number that is `dim`, or an array and the axis along which it has that size."""
        if dim is None or dim.is_constant:
            return None if dim is None else Known(dim.constant)
        for leaf in (leaf for binding in env.values() for leaf in flatten(binding)):
            match leaf:
                case Var(_, Scalar(size=size)) if size is not None and self.dim(size) == dim:
                    return leaf
                case Var(_, Array(dims=dims)) if dims:
                    axis = next((axis for axis, other in enumerate(dims) if self.dim(other) == dim), None)
                    if axis is not None:
                        return leaf, axis
        return None


def is_absent(binding: Binding | None) -> bool:
    """Whether a name surely has no value."""
    return binding is None or isinstance(binding, Unbound)


def has_value(binding: Binding | None) -> bool:
    """Whether a name may have a value that can be read."""
    return not is_absent(binding) and not isinstance(binding, Conflict)
