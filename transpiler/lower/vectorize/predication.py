"""A `while` that each example leaves for itself, run until all of a strip have left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import gast

from transpiler.analyses.dataflow.liveness import iteration_end, live_before
from transpiler.core import build
from transpiler.core.query import all_defined, is_atom, names
from transpiler.lower.fusion.pointwise import parts
from transpiler.lower.vectorize.speculation_safety import Unfit, check_harmless, type_of
from transpiler.values.probe import infer
from transpiler.values.types import BOOL

if TYPE_CHECKING:
    from transpiler.lower.vectorize.lanes import Strip


def until_all_have_left(strip: Strip, loop: gast.While) -> list[gast.stmt]:
    """The loop: what an example holds does not change once its test has failed, so the test fails again."""
    for statement in loop.body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in strip.own:
                check_harmless(value, strip.types)
            case _:
                raise Unfit
    needed = live_before(loop.body) | set(names(loop.test))
    if strip.loop.target.id in needed:
        raise Unfit
    changed = sorted(all_defined(loop.body) & iteration_end(loop, strip.live[loop]) & strip.own)
    before = {name: strip.fresh(f'{name}_before', strip.type(name)) for name in changed}
    iteration = [s for name in sorted(needed & strip.own - set(changed)) for s in strip.load(name, name)]
    for name in changed:
        iteration += [*strip.load(name, before[name]), strip.assign(name, build.name(before[name]))]
    goes = strip.fresh('goes', BOOL)
    test = _atom(strip, loop.test, iteration)
    iteration += [strip.assign(goes, test), *loop.body]
    for name in changed:
        after = strip.fresh(f'{name}_after', strip.type(name), temporary=True)
        value = gast.IfExp(test=build.name(goes), body=build.name(name), orelse=build.name(before[name]))
        iteration += [strip.assign(after, value), *strip.store(name, after)]
    return _as_long_as_one_goes(strip, goes, iteration)


def _as_long_as_one_goes(strip: Strip, goes: str, iteration: list[gast.stmt]) -> list[gast.stmt]:
    active, one = strip.fresh('active'), strip.fresh('one', temporary=True)
    iteration.append(strip.assign(one, gast.IfExp(test=build.name(goes), body=build.constant(1), orelse=build.constant(0))))
    iteration.append(strip.assign(active, build.binary(active, gast.Add, build.name(one))))
    body = [strip.assign(active, build.constant(0)), strip.each(iteration)]
    loop = strip.stamped(build.loop(build.compare(active, gast.Gt, 0), body))
    return [strip.assign(active, build.constant(1)), loop]


def _atom(strip: Strip, node: gast.expr, made: list[gast.stmt]) -> gast.expr:
    """A test, taken apart."""
    if is_atom(node):
        return node
    match node:
        case gast.BoolOp(op=operator, values=values):
            return _both_or_either(strip, operator, [_atom(strip, value, made) for value in values], made)
        case gast.Call(func=gast.Name(id='python.abs')):
            node = build.like(node, func=build.name('numpy.absolute'))
    found = parts(node)
    if found is None:
        raise Unfit
    operands, with_others, ufunc = found
    atoms = [_atom(strip, operand, made) for operand in operands]
    value = with_others(atoms)
    check_harmless(value, strip.types)
    types = [type_of(atom, strip.types) for atom in atoms]
    type_, _ = infer(ufunc, types, {})
    name = strip.fresh('value', replace(type_, weak=all(t.weak for t in types)), temporary=True)
    made.append(strip.assign(name, value))
    return build.name(name)


def _both_or_either(strip: Strip, operator: gast.boolop, atoms: list[gast.expr], made: list[gast.stmt]) -> gast.expr:
    """All parts are computed, as none can fail."""
    joint = gast.BitAnd if isinstance(operator, gast.And) else gast.BitOr
    result, *rest = atoms
    for atom in rest:
        if {type_of(result, strip.types).dtype.kind, type_of(atom, strip.types).dtype.kind} != {'b'}:
            raise Unfit
        name = strip.fresh('value', BOOL, temporary=True)
        made.append(strip.assign(name, build.binary(result, joint, atom)))
        result = build.name(name)
    return result
