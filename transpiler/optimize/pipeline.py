"""The order of the passes: `optimize` to a fixed point inside the core language, `surface` on the way out of it."""
from __future__ import annotations

from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.optimize.algebra.linear_operations import simplify_linear
from transpiler.optimize.algebra.raised_products import raise_products
from transpiler.optimize.algebra.shape_reads import read_shapes_at_source
from transpiler.optimize.algebra.simplify import simplify_algebra
from transpiler.optimize.memory.buffer_reuse import take_over
from transpiler.optimize.memory.dead_stores import eliminate_dead_stores
from transpiler.optimize.memory.overlapping_copies import buffer_overlaps
from transpiler.optimize.memory.store_forwarding import forward_stores
from transpiler.optimize.redundancy.common_subexpressions import share_common
from transpiler.optimize.redundancy.copy_propagation import propagate_copies
from transpiler.optimize.redundancy.dead_code import eliminate_dead_code
from transpiler.optimize.redundancy.dead_parameters import drop_unused_parameters
from transpiler.optimize.redundancy.dead_tapes import drop_unread_tapes
from transpiler.optimize.redundancy.phi_copies import copy_in_arms
from transpiler.optimize.redundancy.shared_decompositions import decompose_once
from transpiler.optimize.redundancy.value_numbering import merge_congruent
from transpiler.optimize.surface.augmented_assignment import augment, mark_in_place
from transpiler.optimize.surface.breaks import restore_breaks
from transpiler.optimize.surface.coalesce import coalesce
from transpiler.optimize.surface.common_prefixes import hoist_beginnings
from transpiler.optimize.surface.conditional_expressions import restore_expressions
from transpiler.optimize.surface.entry_points import enter_directly
from transpiler.optimize.surface.naming import name_temporaries
from transpiler.optimize.surface.points import with_points
from transpiler.optimize.surface.renest import renest
from transpiler.passes import fixpoint

PASSES = (propagate_copies, read_shapes_at_source, simplify_algebra, simplify_linear, share_common, decompose_once,
          eliminate_dead_code, forward_stores, eliminate_dead_stores)


def optimize(core: Core) -> Core:
    """A program with the same results that does and says less.

    >>> from transpiler.passes import show
    >>> show(optimize, 'a = np.exp(x); b = np.exp(x); c = a * b; d = c + 1; return c')
    a = np.exp(x)
    c = a * a
    return c
    """
    return _shared_by_functions(everywhere(core, copy_in_arms))


def raised(core: Core) -> Core:
    """An optimised program before it is transformed, whose loops of products with rows are products of matrices."""
    new = everywhere(core, raise_products)
    return core if new is core else optimize(new)


def _shared_by_functions(core: Core) -> Core:
    core = everywhere(core, _settled)
    fewer = drop_unused_parameters(drop_unread_tapes(core))
    return core if fewer is core else _shared_by_functions(fewer)


def _settled(core: Core) -> Core:
    core = fixpoint(PASSES)(merge_congruent(core))
    merged = merge_congruent(core)
    return core if merged is core else _settled(merged)


def surface(core: Core) -> Core:
    """The form that people read: expressions nested, versions of a name merged, every name final.

    >>> from transpiler.passes import show
    >>> show(surface, 't = y * x; y_1 = t + 1; z = y_1 * y_1; return z', temporaries=['t'])
    y = y * x + 1
    z = y * y
    return z
    """
    return everywhere(enter_directly(core), _surface)


def _surface(core: Core) -> Core:
    nested = fixpoint((renest, restore_expressions))(buffer_overlaps(take_over(with_points(core))))
    return restore_breaks(hoist_beginnings(augment(coalesce(mark_in_place(name_temporaries(nested))))))
