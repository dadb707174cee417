"""Typed core -> typed core that Numba compiles with NumPy 2's dtypes.

`lower` writes out what Numba would do otherwise than NumPy (promotion, small integers, layouts) and what it has no form
for (axes of reductions, products of integers or of stacks, arrays of indices), one file per family of primitives.
"""
from collections.abc import Callable, Mapping

from transpiler.analyses.memory.bailout import Quiet, latest, quiet_until
from transpiler.analyses.polyhedral.ordered_sums import may_reorder
from transpiler.analyses.polyhedral.parallel_loops import is_independent
from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.garbage import among_new_objects
from transpiler.lower.checks.bounds_checks import guarded
from transpiler.lower.checks.guard_merging import asked_together
from transpiler.lower.checks.integer_limits import limited
from transpiler.lower.checks.slice_lengths import measured
from transpiler.lower.context.view_semantics import check_reshapes
from transpiler.lower.fusion import fuse
from transpiler.lower.linear_algebra import decompositions as linalg
from transpiler.lower.linear_algebra import einsum, products
from transpiler.lower.linear_algebra.shared_factorizations import share_factors
from transpiler.lower.loops.buffer_hoisting import made_once
from transpiler.lower.loops.invariant_division import divide_before_loops
from transpiler.lower.loops.load_hoisting import read_before_loops
from transpiler.lower.loops.loop_ranges import bounded_below
from transpiler.lower.loops.loop_reversal import turn_forward
from transpiler.lower.loops.reduction_fences import multiply_apart
from transpiler.lower.loops.scalar_replacement import accumulate_in_numbers
from transpiler.lower.parallel import in_threads, tell_apart
from transpiler.lower.primitives import (
    composed,
    creation,
    elementwise,
    fourier,
    indexing,
    joining,
    reductions,
    shapes,
    spaced,
    special,
)
from transpiler.lower.primitives import selection as picking
from transpiler.lower.statements import Lowering
from transpiler.lower.target.allocation import in_new_memory
from transpiler.lower.target.borrowing import lend_arrays
from transpiler.lower.target.name_separation import separate_names
from transpiler.lower.target.recursion_limit import limit_depth
from transpiler.lower.vectorize.fission import compute_ahead
from transpiler.lower.vectorize.outer_loops import in_strips
from transpiler.lower.vectorize.sum_lanes import add_in_lanes, find_lanes

__all__ = ['add_in_lanes', 'asked_together', 'bounded_below', 'composed', 'creation', 'einsum', 'elementwise', 'fourier',
           'guarded', 'in_new_memory', 'in_threads', 'indexing', 'joining', 'lend_arrays', 'linalg', 'lower',
           'made_once', 'multiply_apart', 'picking', 'products', 'reductions', 'separate_names', 'shapes', 'spaced',
           'special']


@among_new_objects()
def lower(
    core: Core, accurate: bool = False, fastmath: bool = False, hopeful: bool = False, keyed: bool = False
) -> Core:
    """Rewrite `core` for Numba.

    accurate: elementary functions are those of C's library
    fastmath: roundings may be others than the program's
    hopeful: it may give up, before anything is noticed, where sizes differ that seem to be equal
    keyed: it is called with arguments of the sizes only that its types tell

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import Scalar
    >>> single = Scalar(np.dtype('float32'))
    >>> lowered = lower(parse('y = x * 2.0; return y', types={'x': single, 'y': single}))
    >>> Spelling().statement(lowered.body[0])
    'y = x * np.float32(2.0)'
    """
    def early(whole: Core) -> Callable[[Core], Quiet]:
        own, elsewhere = latest(whole) if hopeful else (-1, -1)
        return lambda one: quiet_until(one, own if one is whole else elsewhere)

    for one in (core, *core.functions.values()):
        check_reshapes(one)
    core = everywhere(core, share_factors)
    quiet = early(core)
    free = is_independent if fastmath else may_reorder
    core = everywhere(core, lambda one: in_strips(turn_forward(read_before_loops(one, quiet(one)), free), free))
    if not accurate:
        quiet = early(core)
        core = everywhere(core, lambda one: compute_ahead(one, quiet(one), free))
    if hopeful:
        own, elsewhere = latest(core)
        core = everywhere(core, lambda one: measured(one, own if one is core else elsewhere))
    quiet = early(core)
    fused = everywhere(core, lambda one: accumulate_in_numbers(tell_apart(fuse(one, quiet(one), keyed and one is core), free)))
    fused = fused if fastmath else everywhere(fused, find_lanes)
    if hopeful:
        fused = limited(fused, latest(fused)[0])
    may_give_up = early(fused)
    return limit_depth(everywhere(fused, lambda one: _lowered(one, core.functions, accurate, fastmath, may_give_up(one))))


def _lowered(core: Core, functions: Mapping[str, Core], accurate: bool, fastmath: bool, quiet: Quiet) -> Core:
    lowering = Lowering(core, functions, accurate, fastmath, quiet)
    body = lowering.block(core.body)
    builder = lowering.builder
    lowered = core.with_body(body, types=dict(builder.types), hints=dict(builder.hints))
    return divide_before_loops(lowered) if fastmath else lowered
