"""From a module's text and a request to the texts of what the output needs: constants of the module, and the function."""
from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast

from transpiler.cli.examples import Example, bound
from transpiler.cli.module import Module
from transpiler.cli.requests import Request
from transpiler.cli.support import Support
from transpiler.core import build
from transpiler.core.language import Core, Leaf, Node, Param, Static, Tree
from transpiler.core.query import all_defined
from transpiler.core.variables import Var
from transpiler.errors import UnknownType
from transpiler.optimize import surface
from transpiler.pipelines import Generated, generate, with_constants
from transpiler.source.reading.capture import MISSING, Function
from transpiler.source.writing.emit import emit
from transpiler.source.writing.headers import header_of
from transpiler.specialize.annotations import Arguments, default_nodes, from_annotations, leaf_maker
from transpiler.specialize.domain.abstraction import abstract, leaves_of
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluator import Evaluator
from transpiler.transforms.steps import Grad, Jvp, Step, Vmap
from transpiler.values.types import Type


def generate_one(module: Module, request: Request, example: Example | None) -> list[str]:
    """The texts that make up the function that `request` asks for: what it needs of the module, and itself."""
    function = module.function(request.function)
    transforms = [step_of(request)]
    core = program(function, transforms, example).core
    header = header_of(core, function, transforms)
    support = Support(module)
    core = _guarded(_independent(surface(core), function, support))
    return [*support.texts(), emit(replace(core, name=request.output), header=header).text]


def step_of(request: Request) -> Step:
    """The transformation that a request asks for."""
    if request.kind == 'jvp':
        return Jvp(request.argnums if isinstance(request.argnums, tuple) else (request.argnums,), request.has_aux)
    if request.kind == 'vmap':
        return Vmap(request.in_axes)
    return Grad(request.argnums, request.has_aux, value=request.kind == 'value_and_grad')


def program(function: Function, transforms: Sequence[Step], example: Example | None) -> Generated:
    """The transformed program, for example values or, of parameters without one, for annotations and defaults.

    Numbers that turn out to be needed as constants become constants, and the program is made again.
    """
    values = {} if example is None else bound(function, example)
    static: set[tuple[str, int]] = set()
    constants: set[Any] = set()
    make = lambda origins: generate(function, transforms, _arguments(function, values, static, origins), constants)
    given = lambda captured: isinstance(captured.binding, Var) and captured.read().value is not MISSING
    return with_constants(make, static, constants, given)


def _arguments(function: Function, values: Mapping[str, Any], static: Container[tuple[str, int]],
               origins: dict[str, tuple[str, int]]) -> Arguments:
    """The binding of each parameter; `origins` learns which leaf of which parameter a variable stands for."""
    annotated = from_annotations(function, static, origins)

    def binding(name: str, ev: Evaluator) -> Binding:
        if name not in values:
            return annotated(name, ev)
        make, leaves = leaf_maker(ev, name), iter(enumerate(leaves_of(values[name])))

        def variable(base: str, type_: Type) -> Any:
            position, leaf = next(leaves)
            if (name, position) in static:
                return Known(leaf)
            made = make(base, type_)
            origins[made.name] = name, position
            return made
        return abstract(values[name], name, variable, ev.sizes.letters.apart)
    return binding


def _independent(core: Core, function: Function, support: Support) -> Core:
    """Give every parameter the default of the module's text; values of the module become constants of the output."""
    defaults, defined = default_nodes(function), all_defined(core.body)
    params = []
    for param in core.params:
        if param.kind != 'capture':
            text = support.expression(defaults[param.name]) if param.name in defaults else None
            params.append(replace(param, default=text))
            continue
        own = support.constant(param.name)
        if param.tree != Leaf(own) or own in defined:    # not read by that name alone
            params.append(replace(param, default=own))
    return core.with_body(core.body, params=tuple(params))


def _guarded(core: Core) -> Core:
    """The code is made for certain values of what is no number, and for certain options; others raise ValueError."""
    own = [param for param in core.params if param.kind != 'capture']
    guards = [guard for param in own for guard in (*_options(param), *_guards(param, param.tree, build.name(param.name)))]
    return core.with_body((*guards, *core.body)) if guards else core


def _options(param: Param) -> Iterator[gast.stmt]:
    """`**options` of other names would not be read."""
    if param.kind == 'options' and isinstance(param.tree, Node):
        names = sorted(param.tree.keys)
        known = build.compare(build.call('sorted', param.name), gast.NotEq, build.constant(names))
        yield _refused(known if names else build.name(param.name), f'this code was generated for the options {names}')


def _guards(param: Param, tree: Tree, place: gast.expr) -> Iterator[gast.stmt]:
    """Guards for what stands at a place of a parameter, and in it."""
    match tree:
        case Node('object', children, keys):
            for key, child in zip(keys, children, strict=True):
                yield from _guards(param, child, build.attribute(place, key))
        case Node(kind, children, keys):
            for key, child in zip(keys if kind == 'dict' else range(len(children)), children, strict=True):
                yield from _guards(param, child, build.subscript(place, build.constant(key)))
        case Static(None | bool() as value):
            yield _refused(build.compare(place, gast.IsNot, build.constant(value)), _made_for(place, value))
        case Static(str() | int() | float() as value):
            yield _refused(build.compare(place, gast.NotEq, build.constant(value)), _made_for(place, value))
        case Static():
            raise UnknownType(f'the code depends on the value of `{gast.unparse(place)}`', param.origin,
                              instead='give the parameter a number, a string, a flag or None')


def _made_for(place: gast.expr, value: Any) -> str:
    return f'this code was generated for {gast.unparse(place)}={value!r}'


def _refused(differs: gast.expr, message: str) -> gast.stmt:
    return build.branch(differs, [build.fail(build.call('python.ValueError', build.constant(message)))])
