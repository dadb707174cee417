"""Rules that users give functions, in reverse mode: their calls are opened up before the sweep, and what helped it after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from transpiler.analyses.activity import active_names
from transpiler.core import build
from transpiler.core.custom import Given, Joined, Passing
from transpiler.core.functions import calls_in, everywhere, reachable
from transpiler.core.language import Core, Place, leaves
from transpiler.core.query import call_of, callee, defined, names
from transpiler.errors import NotDifferentiable
from transpiler.passes import rewrite
from transpiler.specialize.specialize import specialize_again
from transpiler.transforms.pullback.forward_backward_pairs import Split

DEPTH = 50  # rules that use each other


def by_rules(core: Core, argnums: Sequence[Place], output: Callable[[Core], gast.expr]) -> Core:
    """The program with its active calls of functions with rules opened up; `output` finds what is differentiated."""
    for _ in range(DEPTH):
        if not any(isinstance(function.rule, Given) for function in core.functions.values()):
            return core
        marked = _marked(core, argnums, output(core))
        if marked is core:
            return core
        core = specialize_again(marked)
    raise NotDifferentiable('the rules of functions use each other without end', core.origin)


def _marked(core: Core, argnums: Sequence[Place], output: gast.expr) -> Core:
    """The same program, unless some call is to be opened up."""
    inputs = [name for k in argnums for name in leaves(core.argument(k).tree)]
    active, split = active_names(core, inputs, names(output)), Split(core.functions)
    split.explore(core, active)
    within = {name: split.active(name) for name in split.varied}
    changed = False

    def mark(one: Core, known: frozenset[str]) -> Core:
        def visit(statement: gast.stmt) -> gast.stmt:
            nonlocal changed
            rule = core.functions[str(callee(call_of(statement)))].rule
            if not isinstance(rule, Given) or not _passes_on(statement, known):
                return statement
            check_rule_given(one, statement, rule, known)
            changed = True
            return _renamed(statement, 'rule')

        return one.with_body(_each_call(one.body, visit))

    main = mark(core, active)
    functions = {name: mark(f, within[name]) if name in within else f for name, f in core.functions.items()}
    return main.with_functions(functions) if changed else core


def _passes_on(statement: gast.stmt, active: frozenset[str]) -> bool:
    """Whether what a call gives depends on active arguments; an array may also be active for what is written into it."""
    return defined(statement) in active and any(name in active for name in names(call_of(statement)))


def check_rule_given(core: Core, statement: gast.stmt, rule: Given, active: frozenset[str]) -> None:
    """Refuse a derivative that the rule does not give."""
    if rule.error is not None:
        raise rule.error
    for k, argument in enumerate(call_of(statement).args):
        if isinstance(argument, gast.Name) and argument.id in active and k not in rule.wanted:
            if k < rule.own and k not in rule.by_value:
                continue  # the rule says that there is none
            how = 'reads it from around itself' if k >= rule.own else 'takes it as one of its `nondiff_argnums`'
            raise NotDifferentiable(
                f'the rule of `{rule.title}` has no derivative by `{core.base(argument.id)}`',
                statement.origin,
                why=f'`{rule.title}` {how}',
                instead='make it an argument that the rule knows, or keep it constant: `tp.stop_gradient`',
            )


def rules_followed(core: Core) -> Core:
    """The program after a sweep: the calls that led it through rules give way to what they do; other rules stay."""
    rules = {name: function.rule for name, function in core.functions.items()}
    led = {name for name, rule in rules.items() if isinstance(rule, Joined) or isinstance(rule, Passing) and not rule.lasting}
    return _inlined(core, led | {rule.backward for rule in rules.values() if isinstance(rule, Joined)})


@rewrite('rules inlined')
def rules_inlined(core: Core) -> Core:
    """The program without calls of functions with rules: no derivative is going to be taken any more."""
    return _inlined(core, {name for name, function in core.functions.items() if function.rule is not None})


def _inlined(core: Core, chosen: set[str]) -> Core:
    """The program with all calls of some of its functions opened up."""
    called = {name for one in (core, *core.functions.values()) for name in calls_in(one)}
    if not chosen & called:
        return core

    def visit(statement: gast.stmt) -> gast.stmt:
        return _renamed(statement, 'inline') if callee(call_of(statement)) in chosen else statement

    while chosen & {name for one in (core, *core.functions.values()) for name in calls_in(one)}:
        core = specialize_again(everywhere(core, lambda one: one.with_body(_each_call(one.body, visit))))
        core = core.with_functions(reachable(core, core.functions))
    return core


def _each_call(body: Sequence[gast.stmt], visit: Callable[[gast.stmt], gast.stmt]) -> list[gast.stmt]:
    """The statements, with `visit` of those that call a function of the program."""
    made = []
    for statement in body:
        statement = build.map_blocks(statement, lambda block: _each_call(block, visit))
        made.append(statement if call_of(statement) is None else visit(statement))
    return made


def _renamed(statement: gast.stmt, how: str) -> gast.stmt:
    call = call_of(statement)
    return build.like(statement, value=build.like(call, func=build.name(f'{how}.{callee(call)}')))
