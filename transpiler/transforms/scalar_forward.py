"""The derivative by one number of what is a derivative already: forward mode, which keeps nothing and grows least."""

from __future__ import annotations

from transpiler.core import build
from transpiler.core.language import Core, Leaf, Place
from transpiler.core.naming import unique
from transpiler.errors import TranspileError
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.specialize import inline_core
from transpiler.transforms.forward.jvp import forward
from transpiler.transforms.jacobian_basis import one_of
from transpiler.transforms.jacobians import composed
from transpiler.transforms.reverse.vjp import outputs, result_of_gradient
from transpiler.values.types import Scalar


def slope(core: Core, number: Place, *, single: bool, value: bool, has_aux: bool) -> Core | None:
    """The gradient of `core` by its one number at position `number`, as `reverse.gradient` gives it, in forward mode.

    None if this is the first derivative, whose pullback reads best, if it is not a number of one type by another, or if
    something in the program has a rule for reverse mode only.
    """
    by, output = core.argument(number), outputs(core, has_aux)[0]
    types = [core.types.get(getattr(node, 'id', getattr(node, 'name', ''))) for node in (by.tree, output)]
    numbers = all(isinstance(type_, Scalar) and type_.dtype.kind == 'f' for type_ in types)
    if not numbers or types[0].dtype != types[1].dtype or not isinstance(by.tree, Leaf) or not is_derivative(core):
        return None
    try:
        more = unique(f'{by.name}_dot', {param.name for param in core.params})
        whole = forward(core, [number], [more], has_aux=has_aux, alone=True)
    except TranspileError:
        return None

    last = whole.body[-1]
    out, dot, *aux = last.value.elts
    result = result_of_gradient(out, aux[0] if has_aux else None, [dot], single, value)
    whole = whole.with_body((*whole.body[:-1], build.give(result, last.origin, last.role)))

    def write(ev: Evaluator, inputs: list[Binding]) -> Binding:
        return inline_core(ev, whole, [*inputs, Known(one_of(types[0]))])

    return composed(core, write, f'{core.name}_{"value_and_grad" if value else "grad"}', whole)


def is_derivative(core: Core) -> bool:
    """Whether there are tangents or cotangents in the program."""
    return any(statement.role in ('tangent', 'pullback') for statement in core.statements)
