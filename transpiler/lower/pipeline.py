"""The passes of lowering, in order: from typed core to core that Numba compiles, and from there to its text."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

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
from transpiler.lower.linear_algebra.shared_factorizations import share_factors
from transpiler.lower.loops.buffer_hoisting import made_once
from transpiler.lower.loops.invariant_division import divide_before_loops
from transpiler.lower.loops.load_hoisting import read_before_loops
from transpiler.lower.loops.loop_ranges import bounded_below
from transpiler.lower.loops.loop_reversal import turn_forward
from transpiler.lower.loops.reduction_fences import multiply_apart
from transpiler.lower.loops.scalar_replacement import accumulate_in_numbers
from transpiler.lower.parallel import in_threads, tell_apart
from transpiler.lower.statements import Lowering
from transpiler.lower.target.allocation import in_new_memory
from transpiler.lower.target.borrowing import lend_arrays
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.name_separation import separate_names
from transpiler.lower.target.recursion_limit import limit_depth
from transpiler.lower.target.target import Target
from transpiler.lower.vectorize.fission import compute_ahead
from transpiler.lower.vectorize.outer_loops import in_strips
from transpiler.lower.vectorize.sum_lanes import add_in_lanes, find_lanes
from transpiler.optimize import surface
from transpiler.passes import Pass


def lowering(target: Target, hopeful: bool, keyed: bool) -> Sequence[Pass]:
    """The passes that loops and primitives go through; for `hopeful` and `keyed` see `lower`."""
    free = is_independent if target.fastmath else may_reorder
    quietly = partial(_quietly, hopeful)
    reads = [_each(_checked), _each(share_factors), quietly(read_before_loops)]
    vectors = [_each(lambda one: in_strips(turn_forward(one, free), free))]
    ahead = [] if target.accurate else [quietly(lambda one, quiet: compute_ahead(one, quiet, free, target))]
    sizes = [partial(_by_number, partial(measured, target=target))] if hopeful else []
    loops = [partial(_fused, target, hopeful, keyed), _each(lambda one: accumulate_in_numbers(tell_apart(one, free)))]
    lanes = [] if target.fastmath else [_each(find_lanes)]
    integers = [lambda core: limited(core, latest(core)[0], target)] if hopeful else []
    return [*reads, *vectors, *ahead, *sizes, *loops, *lanes, *integers, partial(_written_out, target, hopeful), limit_depth]


def finishing(target: Target) -> Sequence[Pass]:
    """The passes from what is lowered to what is printed for Numba."""
    told = partial(partial, target=target)     # a pass that chooses by target, told which
    threads = [told(in_threads)] if target.threads else []
    fences = [_each(told(multiply_apart))] if target.fastmath else []
    memory = [_each(made_once), _each(told(in_new_memory))]
    return [surface, _each(told(add_in_lanes)), *threads, *memory, _each(asked_together), _each(bounded_below),
            told(lend_arrays), *fences, separate_names]


@among_new_objects()
def lower(core: Core, target: Target = CPU, hopeful: bool = False, keyed: bool = False) -> Core:
    """Rewrite `core` for Numba.

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
    return _through(lowering(target, hopeful, keyed), core)


def lowered_hopefully(core: Core, target: Target, keyed: bool) -> Core | None:
    """`core` for Numba, with guards of its own, where it gives up; None if there can be none."""
    return guarded(lower(core, target, True, keyed), target)


def finish(core: Core, target: Target) -> Core:
    """What is lowered, in the form that is printed for Numba."""
    return _through(finishing(target), core)


def _through(passes: Sequence[Pass], core: Core) -> Core:
    for one in passes:
        core = one(core)
    return core


def _each(change: Pass) -> Pass:
    """A pass over every function of a program alone."""
    return lambda core: everywhere(core, change)


def _quietly(hopeful: bool, change: Callable[[Core, Quiet], Core]) -> Pass:
    """A pass over every function alone that goes by how far each may give up."""
    def run(core: Core) -> Core:
        quiet = _giving_up(hopeful, core)
        return everywhere(core, lambda one: change(one, quiet(one)))
    return run


def _giving_up(hopeful: bool, core: Core) -> Callable[[Core], Quiet]:
    own, elsewhere = latest(core) if hopeful else (-1, -1)
    return lambda one: quiet_until(one, own if one is core else elsewhere)


def _by_number(change: Callable[[Core, float], Core], core: Core) -> Core:
    own, elsewhere = latest(core)
    return everywhere(core, lambda one: change(one, own if one is core else elsewhere))


def _checked(core: Core) -> Core:
    check_reshapes(core)
    return core


def _fused(target: Target, hopeful: bool, keyed: bool, core: Core) -> Core:
    quiet = _giving_up(hopeful, core)
    return everywhere(core, lambda one: fuse(one, quiet(one), keyed and one is core, target))


def _written_out(target: Target, hopeful: bool, core: Core) -> Core:
    """Every primitive in its compiled form."""
    quiet, functions = _giving_up(hopeful, core), core.functions

    def one_lowered(one: Core) -> Core:
        writer = Lowering(one, functions, target, quiet(one))
        body, builder = writer.block(one.body), writer.builder
        made = one.with_body(body, types=dict(builder.types), hints=dict(builder.hints))
        return divide_before_loops(made, target) if target.fastmath else made
    return everywhere(core, one_lowered)
