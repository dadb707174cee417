"""Jacobians: one batched pass of the pullback over a basis of cotangents, or of the forward program over a basis of tangents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from transpiler.analyses.memory.call_effects import summarised
from transpiler.core import build
from transpiler.core.custom import Given
from transpiler.core.functions import everywhere, reachable
from transpiler.core.language import Core, Place, leaves
from transpiler.core.naming import unique
from transpiler.core.query import names
from transpiler.errors import TranspileError, UnsafeMutation
from transpiler.optimize.redundancy.dead_code import eliminate_dead_code
from transpiler.specialize.domain.bindings import Binding, Known, binding_of, flatten, fold, is_float, is_lone_number, leaf_type
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.specialize import inline_core, specialize_again, written
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.batch.batch import batch
from transpiler.transforms.forward.jvp import forward
from transpiler.transforms.jacobian_basis import Basis, rows_in
from transpiler.transforms.reverse.partition import cut
from transpiler.transforms.reverse.vjp import check_input, outputs, pullback
from transpiler.transforms.shared.defensive_copies import protect_arguments
from transpiler.transforms.shared.holomorphic import has_complex_inputs
from transpiler.transforms.shared.printing import without_prints
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Tape, is_differentiable

Derivative = Callable[[Iterable[Binding]], Binding]


def by_rows(
    core: Core, argnums: Sequence[Place], *, single: bool = True, has_aux: bool = False, compiled: bool = False,
    parted: bool = True
) -> Core:
    """The Jacobian in reverse mode: the primal once, and the pullback of all rows of a unit matrix together.

    parted: a complex output is two real ones, with rows for each, as it has to be unless the function is holomorphic
    The result has the structure of `jax.jacrev`: that of the output, and at each leaf of it that of the argument (or a tuple of
    those at `argnums`, unless `single`); `(jacobian, aux)` with has_aux.
    """
    late = unique('out_bar', {param.name for param in core.params})
    whole = specialize_again(pullback(core, argnums, late, has_aux=has_aux))
    try:
        parts = _halves(core, whole, [late], has_aux, compiled, parted)
    except UnsafeMutation:
        parts = _beside(core, whole, [late], compiled, parted)

    def write(ev: Evaluator, inputs: list[Binding]) -> Binding:
        begun, derivative = parts.begin(ev, inputs)
        out, *aux = ev.statements.unpack(begun, 2) if has_aux else (begun,)
        basis = Basis(ev, flatten(out), parted)
        bars = ev.statements.unpack(derivative(basis.rows()), len(argnums))
        blocks = iter(basis.blocks(before=True))
        bound = dict(zip(core.inputs, inputs, strict=True))

        def of_leaf(leaf: Binding) -> Binding:
            block = next(blocks)
            if block is not None:
                return _together([fold(bar, block) for bar in bars], single)
            if not is_float(leaf) and not is_lone_number(out):
                return Known(None)
            arguments = [binding_of(core.argument(k).tree, bound.__getitem__) for k in argnums]
            return _together([fold(argument, lambda part: zero_of(ev, part)) for argument in arguments], single)

        return _with_aux(fold(out, of_leaf), aux)

    return composed(core, write, f'{core.name}_jacrev', parts.primal, parts.derivative)


def by_columns(
    core: Core, argnums: Sequence[Place], *, single: bool = True, has_aux: bool = False, compiled: bool = False
) -> Core:
    """The Jacobian in forward mode: the tangents of all columns of a unit matrix together; structured like `by_rows`."""
    wanted = [core.argument(k) for k in argnums]
    for param in wanted:
        check_input(core, param)
    taken = {param.name for param in core.params}
    more = [unique(f'{param.name}_dot', taken) for param in wanted]
    parts = _beside(core, forward(core, argnums, more, has_aux=has_aux, alone=True), more, compiled)

    def write(ev: Evaluator, inputs: list[Binding]) -> Binding:
        bound = dict(zip(core.inputs, inputs, strict=True))
        begun, derivative = parts.begin(ev, inputs, needed=has_aux)
        arguments = [binding_of(param.tree, bound.__getitem__) for param in wanted]
        basis = Basis(ev, [leaf for argument in arguments for leaf in flatten(argument)])
        out_dot = derivative(basis.rows())
        aux = ev.statements.unpack(begun, 2)[1:] if has_aux else ()

        def of_leaf(leaf: Binding) -> Binding:
            if leaf == Known(None):
                return leaf
            blocks = iter(basis.blocks(before=False))
            block_of = lambda own: own if (block := next(blocks)) is None else block(leaf)
            return _together([fold(argument, block_of) for argument in arguments], single)

        return _with_aux(fold(out_dot, of_leaf), aux)

    return composed(core, write, f'{core.name}_jacfwd', parts.primal, parts.derivative)


def check_counted(core: Core, has_aux: bool) -> None:
    """Refuse an output with lists whose length shows only at run time."""
    if any(isinstance(core.types.get(name), Tape) for name in names(outputs(core, has_aux)[0])):
        raise TranspileError('a Jacobian of a list of run-time length is not supported', core.body[-1].origin,
                             why='of how many parts it consists shows only at run time',
                             instead='make an array of the list, `np.array(...)`')


@dataclass(frozen=True)
class _Parts:
    """The primal, and its derivative for all rows of a basis.

    handed: the primal hands over what the derivative reads; noticed: it runs even if nobody asks for what it gives
    """

    primal: Core
    derivative: Core
    handed: bool
    noticed: bool = False

    def begin(self, ev: Evaluator, inputs: Sequence[Binding], needed: bool = True) -> tuple[Binding, Derivative]:
        """What the primal gives, if that is needed, and what gives the derivative for some rows."""
        begun = inline_core(ev, self.primal, inputs) if needed or self.handed or self.noticed else Known(None)
        begun, given = ev.statements.unpack(begun, 2) if self.handed else (begun, None)
        first = inputs if given is None else flatten(given)
        return begun, lambda rows: inline_core(ev, self.derivative, [*first, *rows])


def _halves(core: Core, whole: Core, late: Sequence[str], has_aux: bool, compiled: bool, parted: bool = False) -> _Parts:
    """The primal runs once, and nothing of it again for the rows."""
    first, second = cut(whole, late, (core.name, core.name), (0, 2) if has_aux else (0,))
    return _Parts(first, _batched(second, _seeds(second, late), compiled, parted), True)


def _beside(core: Core, whole: Core, late: Sequence[str], compiled: bool, parted: bool = False) -> _Parts:
    """The whole program for all rows: batching leaves what is the same for all of them alone. Only the primal prints."""
    last = whole.body[-1]
    derivative = whole.with_body((*whole.body[:-1], build.give(last.value.elts[1], last.origin, last.role)))
    silent = everywhere(derivative, without_prints)
    prints = silent is not derivative
    derivative = eliminate_dead_code(silent)
    return _Parts(protect_arguments(core), _batched(derivative, _seeds(derivative, late), compiled, parted), False, prints)


def _seeds(core: Core, late: Sequence[str]) -> list[str]:
    return [name for param in core.params if param.name in late for name in leaves(param.tree)]


def composed(like: Core, write: Callable[[Evaluator, list[Binding]], Binding], name: str, *others: Core) -> Core:
    """A program made of others, which takes what `like` takes, with the functions that they call."""
    functions = {name: function for one in (like, *others) for name, function in one.functions.items()}
    made = written(like, write, name, functions)
    return summarised(made.with_functions(reachable(made, functions)))


def zero_of(ev: Evaluator, part: Binding) -> Binding:
    """Zero for a number or an array, None for what has no derivative."""
    if not is_float(part):
        return Known(None)
    if isinstance(leaf_type(part), Array):
        return ev.operate_by_name('numpy.zeros_like', [part])
    return Known(0.0 if leaf_type(part).weak else leaf_type(part).dtype.type(0.0))


def _together(parts: Sequence[Binding], single: bool) -> Binding:
    return parts[0] if single else Tuple(tuple(parts))


def _with_aux(jacobian: Binding, aux: Sequence[Binding]) -> Binding:
    return Tuple((jacobian, *aux)) if aux else jacobian


def _batched(core: Core, seeds: Sequence[str], compiled: bool, parted: bool) -> Core:
    """The program for all rows at once, if there is more than one number to seed."""
    size = rows_in(core, seeds, parted)
    core = specialize_again(core)
    if size is None:
        return core
    late = core.inputs[-len(seeds) :]
    return batch(core, {name: 0 if name in late else None for name in core.inputs}, size, 0, compiled)


def prefers_columns(
    core: Core, argnums: Sequence[Place], has_aux: bool, holomorphic: bool, now: Callable[[Dim], Dim] = lambda dim: dim
) -> bool:
    """Whether there are certainly no more columns than rows, so that forward mode is the cheaper one.

    now: a number of elements, as far as it is known by then
    """
    check_counted(core, has_aux)
    rules = [function.rule for function in core.functions.values()]
    if any(isinstance(rule, Given) and rule.tangents is None and not rule.either for rule in rules):    # for reverse mode only
        return False
    if not holomorphic and has_complex_inputs(core, argnums):
        return False
    columns, rows = _extents(core, argnums, has_aux, holomorphic)
    return columns is None or rows is not None and (now(rows) - now(columns)).is_at_least(0)


def _extents(core: Core, argnums: Sequence[Place], has_aux: bool, holomorphic: bool) -> tuple[Dim | None, Dim | None]:
    """How many real elements the arguments have, and how many the output; None for one number."""
    output, _ = outputs(core, has_aux)
    inputs = [name for k in argnums for name in leaves(core.argument(k).tree)]
    floats = [[name for name in part if is_differentiable(core.types[name])] for part in (inputs, list(names(output)))]
    return rows_in(core, floats[0]), rows_in(core, floats[1], not holomorphic)
