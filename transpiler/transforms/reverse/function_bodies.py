"""Writing the forward and the backward function of every function that a differentiated program calls.

`f_fwd` gives what `f` gives, and pushes on tapes what `f_bwd` will pop. `f_bwd` takes the arguments of `f`, the cotangents of
its results, and for each array or tape among the arguments its cotangent as memory to change in place: on entry it is the
cotangent of that memory after the call, on exit of that before it. It gives the cotangents of the numbers. The tapes are
made by whoever calls first; all activations share them, and the last one in is the first one out.
"""

from __future__ import annotations

from types import MappingProxyType

import gast

from transpiler.analyses.dataflow.closure_conversion import closed, parameters
from transpiler.analyses.memory.call_effects import results, summarised
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.functions import reachable, rewrite_calls
from transpiler.core.language import Core
from transpiler.core.naming import Supply
from transpiler.core.query import callee
from transpiler.core.variables import Var
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.pullback.forward_backward_pairs import Split
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.storage.weaving import store_apart
from transpiler.transforms.sweeps.derivative_writer import ZERO

Block = list[gast.stmt]


def with_pairs(main: Core, split: Split) -> Core:
    """The program `main`, whose sweeps have asked `split` for pairs, with these functions and the tapes that they share."""
    if not split.functions:
        return main
    written: dict[str, tuple[Core, Core]] = {}
    taken = {*main.types, *(name for f in split.functions.values() for name in f.types)}
    while waiting := [name for name in split.names if name not in written]:
        written[waiting[0]] = _pair(waiting[0], split, taken)
    made = {core.name: core for pair in written.values() for core in pair}
    whole = closed(made)

    def complete(call: gast.Call) -> gast.Call:
        more = whole[str(callee(call))].inputs[len(call.args) :] if callee(call) in whole else ()
        return build.like(call, args=[*call.args, *map(build.name, more)])

    main = rewrite_calls(main, complete)
    tapes = {n: split.tapes[n] for f in whole.values() for n in f.inputs if n in split.tapes and n not in made[f.name].inputs}
    origin = main.body[0].origin
    first = [build.assign(name, build.call('tape.new'), origin, 'storage') for name in sorted(tapes)]
    main = main.with_body([*first, *main.body], types=MappingProxyType({**main.types, **tapes}))
    return summarised(main.with_functions(reachable(main, {**split.functions, **whole})))


def _pair(name: str, split: Split, taken: set[str]) -> tuple[Core, Core]:
    """The forward and the backward function of `name`."""
    pair = split.pair(name)
    core = split.prepared(name)
    sweep = Sweep(core, split.active(name), split)
    builder, origin = sweep.ev.builder, core.body[-1].origin
    inputs = [core.inputs[k] for k in pair.memory]
    buffers = [builder.fresh(sweep.called(n)[0], sweep.type_of(n)) for n in inputs]
    given = [results(core)[k] for k in pair.results]
    bars = [builder.fresh(sweep.called(part.id)[0], sweep.type_of(part.id)) for part in given]
    with builder.nested() as pullback, builder.at(origin, 'pullback'):
        _start(sweep, dict(zip(inputs, buffers, strict=True)), [(p.id, bar) for p, bar in zip(given, bars, strict=True)])
        sweep.pull_block(list(core.body[:-1]))
        for n, buffer in zip(inputs, buffers, strict=True):
            _settle(sweep, n, buffer)
        atoms = [_number(sweep, core.inputs[k]) for k in pair.numbers]
    primal, pullback, tapes = store_apart(sweep, list(core.body[:-1]), pullback)
    result = build.constant(None) if not atoms else atoms[0] if len(atoms) == 1 else build.expression(tuple(atoms))
    types = MappingProxyType({k: sweep.ev.resolve(t) for k, t in builder.types.items()})
    both = core.with_body((), types=types, hints=MappingProxyType(builder.hints), params=split.functions[name].params)
    supply = Supply({*taken, *split.tapes, *(types.keys() - tapes)})
    renamed = {t: supply.take(t) for t in tapes}
    split.tapes.update({new: types[old] for old, new in renamed.items()})
    forward = both.with_body([*primal, core.body[-1]], name=pair.forward)
    more = parameters([v.name for v in (*bars, *buffers)], builder.hints, [p.name for p in core.params])
    backward = both.with_body([*pullback, build.give(result, origin, 'pullback')], name=pair.backward, params=both.params + more)
    return _shared(forward, renamed), _shared(backward, renamed)


def _start(sweep: Sweep, buffers: dict[str, Var], given: list[tuple[str, Var]]) -> None:
    """The cotangents that a backward function starts from."""
    sweep.live = {name: Bar(buffer, owned=True) for name, buffer in buffers.items()}
    sweep.cotangents.from_before = frozenset(buffers)
    sweep.reading.unread |= {*buffers, *(name for name, _ in given)}  # who knows what is read of them
    for name, bar in given:
        sweep.add(name, bar)


def _settle(sweep: Sweep, name: str, buffer: Var) -> None:
    """The cotangent of an argument's memory stands in the memory that was passed for it."""
    bar = sweep.live.get(name, Bar(ZERO))
    if bar.value != buffer:
        sweep.ev.builder.assign(build.subscript(buffer.name, ...), sweep.ev.operand(bar.value)[0])


def _number(sweep: Sweep, name: str) -> gast.expr:
    return sweep.ev.operand(sweep.live.get(name, Bar(ZERO)).value)[0]


def _shared(core: Core, tapes: dict[str, str]) -> Core:
    """The function with its tapes called as they are in the whole program."""
    types = {**core.types, **{new: core.types[old] for old, new in tapes.items()}}
    return core.with_body([rename(s, tapes) for s in core.body], types=MappingProxyType(types))
