"""Arguments of which only annotations and literal defaults are known."""
from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container
from typing import Any

import gast

from transpiler.core.variables import Var
from transpiler.errors import UnknownType
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.abstraction import Place, annotated, read_annotation
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluator import Evaluator
from transpiler.values.types import Type

Arguments = Callable[[str, Evaluator], Binding]


def from_annotations(function: Function, static: Container[Place] = (), origins: dict[str, Place] | None = None) -> Arguments:
    """The binding of each parameter.

    static: those with defaults that are constants; `origins` learns which variables stand for others, which may become constants
    """
    arguments = function.node.args
    defaults, literal = default_nodes(function), literal_defaults(function)
    notes = {p.id: p.annotation for p in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}

    def binding(name: str, ev: Evaluator) -> Binding:
        if name not in notes:
            raise UnknownType(f'how many arguments `*{name}` stands for is not known', instead='give example arguments')
        if (name, 0) in static:
            return Known(literal[name])
        found = _bound(ev, name, notes[name], defaults.get(name))
        if isinstance(found, Var) and name in literal and origins is not None:
            origins[found.name] = name, 0
        return found

    return binding


def _bound(ev: Evaluator, name: str, note: gast.expr | None, default: gast.expr | None) -> Binding:
    if note is None and isinstance(default, gast.Constant):
        if isinstance(default.value, (str, bool, type(None))):
            return Known(default.value)
        return ev.builder.fresh(name, ev.operand(Known(default.value))[1])
    text = None if note is None else ast.unparse(gast.gast_to_ast(note))
    return annotated(read_annotation(text, ev.sizes.letters), name, leaf_maker(ev, name))


def leaf_maker(ev: Evaluator, name: str) -> Callable[[str, Type], Var]:
    """Variables for the leaves of a parameter; those at a position in a tuple take the first name that the program gives them."""
    positions = re.compile(rf'{re.escape(name)}(_\d+)+')
    return lambda base, type_: ev.builder.fresh(base, type_, temporary=positions.fullmatch(base) is not None)


def default_nodes(function: Function) -> dict[str, gast.expr]:
    """The default expression of every parameter that has one."""
    arguments = function.node.args
    positional = arguments.posonlyargs + arguments.args
    last = [p.id for p in positional[len(positional) - len(arguments.defaults):]]
    found = dict(zip(last, arguments.defaults))
    return found | {p.id: d for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None}


def literal_defaults(function: Function) -> dict[str, Any]:
    """The values of those defaults that are literals."""
    found = {}
    for name, node in default_nodes(function).items():
        try:
            found[name] = ast.literal_eval(gast.gast_to_ast(node))
        except ValueError:
            continue
    return found
