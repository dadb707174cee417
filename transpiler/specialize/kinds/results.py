"""The result of a program as an expression: what its `return` gives."""

from __future__ import annotations

from dataclasses import dataclass

import gast

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.specialize.domain.bindings import Binding, Closure, Known, fold, leaf_type
from transpiler.specialize.kinds.choices import Either, Listed, Perhaps
from transpiler.specialize.kinds.mixtures import number_of
from transpiler.specialize.structures.alternatives import EitherNumber, Optional
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict, DictView
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.numbers import is_number


@dataclass(frozen=True)
class Leeway:
    """What a result may be besides numbers, arrays and containers of them.

    none: None on some paths, a value on others; else the program raises where it is None
    lists: it may hold lists of run-time length whose items have several parts, or are None in some places
    choice: a number on some paths, an array on others, and tells which it is; else it is what it is in Python
    """

    none: bool = False
    lists: bool = False
    choice: bool = True


def given(ev, result: Binding, leeway: Leeway) -> gast.expr:
    """The expression of the `return` of a whole program."""
    result = ev.placeholders.listed(result if leeway.none else ev.indexing.surely(result), leeway.lists)
    return result_expression(ev, result if leeway.choice else ev.distribution.in_one(result))


def result_expression(ev, result: Binding) -> gast.expr:
    """The expression of a `return`: tuples, lists and dicts of atoms."""
    match result:
        case Dict(items, keys):
            return build.dict_node(keys, (result_expression(ev, i) for i in items))
        case Tuple(items) | List(items):
            return build.expression(result.written(result_expression(ev, i) for i in items))
        case Var() | Known(None) | Known(str()):
            return build.constant(result.value) if isinstance(result, Known) else build.name(result.name)
        case Known(value) if is_number(value):
            return ev.operand(result)[0]
        case DynamicList((tape,), item) if not isinstance(item, Container):
            return build.name(tape.name)
        case DynamicList(tapes, item):
            lists = iter(tapes)
            parts = fold(item, lambda leaf: leaf if leaf_type(leaf) is None else next(lists))
            return build.object_node(Listed, [gast.keyword(arg='item', value=result_expression(ev, parts))], {})
        case EitherNumber((which, *items)):
            parts = [gast.keyword(arg=f'kind_{number_of(k)}', value=result_expression(ev, i))
                     for k, i in zip(result.sorts, items, strict=True)]
            return build.object_node(Either, [gast.keyword(arg='which', value=result_expression(ev, which)), *parts], {})
        case Optional((flag, value)):
            parts = [gast.keyword(arg='is_there', value=result_expression(ev, ev.tested(flag))),
                     gast.keyword(arg='value', value=result_expression(ev, value))]
            return build.object_node(Perhaps, parts, {})
        case Object(items, keys, type_):
            fixed = {k: i.value for k, i in zip(keys, items, strict=True) if isinstance(i, Known) and not is_number(i.value)}
            fields = [(k, i) for k, i in zip(keys, items, strict=True) if k not in fixed]
            return build.object_node(type_, [gast.keyword(arg=k, value=result_expression(ev, i)) for k, i in fields], fixed)
        case Closure():
            raise TranspileError('the result is a function', ev.origin, instead='return its value')
    raise TranspileError(
        f'the result is {ev.describe(result)}', ev.origin, why='results are numbers, arrays, and containers of them',
        instead='give a list: `list(...)`' if isinstance(result, DictView) else '',
    )
