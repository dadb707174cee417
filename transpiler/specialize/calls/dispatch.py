"""Calls: primitives, methods, functions of the program (inlined), and transformations used inside functions."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import types
from typing import Any

import gast
import numpy as np

from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.variables import Var
from transpiler.errors import Misfit, TranspileError, UnsupportedFunction
from transpiler.rules import python
from transpiler.rules.arrays import inplace
from transpiler.rules.base.lookup import rule_of
from transpiler.rules.base.methods import METHODS, VARARGS
from transpiler.rules.base.registry import RULES, Rule
from transpiler.source.reading.capture import Function
from transpiler.source.reading.decorated import is_declared
from transpiler.specialize.calls.builtins import BUILTINS
from transpiler.specialize.calls.signatures import HELD_AT, asks_for_values
from transpiler.specialize.containers.dynamic_lists import JOINERS
from transpiler.specialize.domain.bindings import Binding, Closure, Derived, Known, Method, Partial, flatten, leaf_type
from transpiler.specialize.domain.literals import unknown_function
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.domain.pytrees import is_instance, is_instance_class
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import PRIMITIVES, evaluates
from transpiler.specialize.evaluation.frames import Expansion, Frame
from transpiler.specialize.expressions.comprehensions import QUANTIFIERS, taking_all
from transpiler.specialize.expressions.strings import by_text, is_text
from transpiler.specialize.iterables.eager import check_as_made, made_early
from transpiler.specialize.iterables.spaces import parts_of
from transpiler.specialize.objects.instances import is_written
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.ranges import Range
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.types import BOOL, Array, Scalar, is_real

KEPT = functools._lru_cache_wrapper
ASKED = {abs: '__abs__', round: '__round__', float: '__float__', int: '__int__', complex: '__complex__'}  # the class of an object
BINDINGS = (Var, Known, Container, Closure, Method, Partial, Derived)


class Calls(Component):
    """Finding out what a call means."""

    @evaluates(gast.Call)
    def _call(self, frame: Frame, node: gast.Call) -> Binding:
        if hasattr(node, 'type'):  # an object in the result of a core program
            items = (*(self.ev.evaluate(frame, k.value) for k in node.keywords), *map(Known, node.fixed.values()))
            return Object(items, (*(k.arg for k in node.keywords), *node.fixed), node.type)
        if (box := links(node).box) is not None:
            with self.builder.at(self.ev.expressions.blame(frame, node)):
                return self.ev.boxes.open_box(box, list(self.ev.expressions.each(frame, node.args)))
        callee = self.ev.evaluate(frame, node.func)
        if callee in QUANTIFIERS and len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp):
            return self.ev.comprehensions.decided(frame, node.args[0], callee, lambda: self._on_values(frame, node, callee))
        return self._on_values(frame, taking_all(callee, node), callee)

    def _on_values(self, frame: Frame, node: gast.Call, callee: Binding) -> Binding:
        args = list(self.ev.expressions.each(frame, node.args))
        keywords = self.keywords(frame, node.keywords)
        args, keywords = [self.ev.current(a) for a in args], {k: self.ev.current(v) for k, v in keywords.items()}
        with self.builder.at(self.ev.expressions.blame(frame, node)):
            check_as_made(self.ev, [*args, *keywords.values()])
            return self.ev.call(callee, args, keywords)

    def keywords(self, frame: Frame, nodes: list[gast.keyword]) -> dict[str, Binding]:
        found: dict[str, Binding] = {}
        for node in nodes:
            value = self.ev.expressions.value_or_none(frame, node.value) if node.arg else self.ev.evaluate(frame, node.value)
            new = {node.arg: value} if node.arg is not None else self.ev.changes.entries(value, '`**` in a call')
            if again := found.keys() & new.keys():
                raise TranspileError(f'the keyword `{min(again)}` is given twice', self.origin, why='Python raises TypeError')
            found |= new
        return found

    def call(self, callee: Binding, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        match callee:
            case Closure():
                return self.ev.inline(callee, args, keywords)
            case Method(receiver, name):
                return self.call_method(receiver, name, args, keywords)
            case Partial(function, before, options):
                return self.ev.call(function, [*map(self.ev.current, before), *args], {**dict(options), **keywords})
            case Object():
                return self.ev.call(self.ev.attribute(callee, '__call__'), args, keywords)
            case Derived(transform, function):
                try:
                    return self.ev.differentiate(self.ev, transform, function, args, keywords)
                except Misfit as misfit:
                    raise misfit if misfit.origin else Misfit(misfit.what, self.origin) from None
            case Known(None):
                raise self.ev.inference.failing(TypeError("'NoneType' object is not callable"))
            case Known(Expansion() as opened):
                return self.ev.programs.expand(opened, args)
            case Known(value):
                return self.call_object(value, args, keywords)
        raise TranspileError(f'{self.ev.describe(callee)} cannot be called', self.origin)

    def call_object(self, value: Any, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """Call a Python object: a primitive, a builtin, a transformation, or a function with source."""
        if isinstance(value, str) and value in PRIMITIVES:
            part, method = PRIMITIVES[value]
            return getattr(self.ev.components[part], method)(*args)
        if isinstance(value, Core):
            return self.ev.programs.call_core(value, args)
        method = self.ev.overloads.special(args[0], ASKED[value]) if args and _hashable(value) and value in ASKED else None
        if method is not None:
            return self.ev.call(method, args[1:], keywords)
        text = value is int and args and is_text(args[0])
        by_rule = _hashable(value) and value not in (bool, float, complex) and not text  # which fold, or take less
        rule = value if isinstance(value, Rule) else rule_of(value) if by_rule else None
        if not is_users(value) and asks_for_values(value) and any(map(is_optional, (*args, *keywords.values()))):
            return self.ev.parameters.called_with_none(value, args, keywords)
        if rule is not None and rule.checked is not None and rule is not value and not self.ev.ours:
            return self._call_written(value, Closure(self.ev.template(rule.checked)), args, keywords)
        if rule is not None:
            keywords = keywords if value is not np.copy else self.ev.operations.order_kept(*args, **keywords)
            return self.ev.distribution.call_rule(rule, args, keywords)
        if isinstance(getattr(value, '__self__', None), (np.ufunc, str, bytes, set, frozenset)):
            return self._bound_method(value, args, keywords)
        written = (inplace.FUNCTIONS.get(value) or python.WRITTEN.get(value)) if _hashable(value) else None
        if written is not None:
            return self._call_written(value, Closure(self.ev.template(written)), args, keywords)
        if _hashable(value) and value in BUILTINS:
            return self._call_builtin(value, args, keywords)
        if hasattr(value, '__transpiler_static__'):
            return Known(value(*(self.ev.known(a, 'an argument') for a in args)))
        derive = getattr(value, '__transpiler_derive__', None)
        if derive is not None:
            return derive(self.ev, args, keywords)
        if isinstance(value, type) and issubclass(value, np.generic):
            return self.ev.operands.as_number(self.cast(args[0], np.dtype(value)))
        if value is dataclasses.replace:
            return self.ev.objects.replaced(self.ev.current(args[0]), keywords)
        if isinstance(value, Function):
            return self.ev.inline(Closure(value), args, keywords)
        if isinstance(value, types.FunctionType) and not _is_library(value) or is_declared(value):
            return self.ev.inline(Closure(self.ev.captures.source_of(value)), args, keywords)
        if isinstance(value, KEPT):
            return self._call_kept(value, args, keywords)
        return self._call_class_or_bound(value, args, keywords)

    def _call_class_or_bound(self, value: Any, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """Make an instance, or call what holds some of its arguments."""
        if isinstance(value, type) and hasattr(value, '_fields') and issubclass(value, tuple):
            bound = inspect.signature(value).bind(*args, **keywords)
            bound.apply_defaults()
            items = (b if isinstance(b, BINDINGS) else Known(b) for b in bound.arguments.values())
            return Object(tuple(items), value._fields, value)
        if isinstance(value, types.MethodType):
            return self.ev.call(Known(value.__func__), [Known(value.__self__), *args], keywords)
        if isinstance(value, functools.partial):
            given = self.ev.captures.object_value(value, 'args', value.args) if value.args else Tuple(())
            if value.keywords:
                options = self.ev.captures.object_value(value, 'keywords', value.keywords)
            else:
                options = Dict(())
            options = self.ev.changes.entries(self.ev.current(options), '`**` in a call')
            return self.ev.call(Known(value.func), [*parts_of(self.ev, self.ev.current(given), '*'), *args],
                                {**options, **keywords})
        if value is functools.partial:
            return Partial(args[0], tuple(map(self.ev.held, args[1:])), tuple((k, self.ev.held(v)) for k, v in keywords.items()))
        if isinstance(value, type) and issubclass(value, (enum.Enum, int, float, complex, str)):
            return Known(value(*(self.ev.known(a, f'an argument of `{value.__name__}`') for a in args)))
        if isinstance(value, type) and is_instance_class(value):
            return self.ev.objects.instance(value, args, keywords)
        if is_instance(value) and is_written(self.ev.attributes.class_attribute(type(value), '__call__')):
            return self.ev.call(self.ev.overloads.special(Known(value), '__call__'), args, keywords)
        if isinstance(value, type) and issubclass(value, BaseException):
            return Known(value(*(self.ev.known(a, 'an argument of an exception') for a in args)))
        raise unknown_function(value, self.origin)

    def _call_kept(self, value: Any, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """A function behind `functools.cache`: numbers may as well be computed anew."""
        found = self.ev.inline(Closure(self.ev.captures.source_of(value)), args, keywords)
        if all(leaf_type(leaf) is None or self.ev.operands.is_scalar(leaf) for leaf in flatten(self.ev.apart_from_cells(found))):
            return found
        raise UnsupportedFunction(
            f'`{value.__name__}` keeps the arrays that it gives',
            self.origin,
            why='all callers share them, and see what one of them writes into one',
            instead='pass the array in as an argument',
        )

    def _bound_method(self, method: Any, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """A method of a ufunc, of a text or of a set."""
        if isinstance(method.__self__, np.ufunc):
            return self.ev.inplace.ufunc_method(method.__self__, method.__name__, args, keywords)
        if isinstance(method.__self__, (set, frozenset)):
            return self.ev.sets.method(method, args)
        return by_text(self.ev, method, args, keywords)

    def _call_builtin(self, value: Any, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        try:
            inspect.signature(BUILTINS[value]).bind(self.ev, *args, **keywords)
        except TypeError as error:
            raise UnsupportedFunction(f'`{value.__name__}` is called in a way that is not supported', self.origin,
                                      why=str(error)) from None
        return BUILTINS[value](self.ev, *args, **keywords)

    def _call_written(self, value: Any, written: Closure, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """Call what stands for a function of Python's library, which may take iterators and give one."""
        given = self.ev.inlining.taken(args) if value in python.TAKE_ALL else args
        if value in python.GIVE_ITERATORS:
            return made_early(self.ev, lambda: self.ev.inline(written, given, keywords), args)
        return self.ev.inline(written, given, keywords)

    def call_rule(self, rule: Rule, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        """Call a primitive as NumPy's users do: with one argument `np.where` finds indices, and lists may be growing."""
        if rule.name in ('numpy.atleast_1d', 'numpy.atleast_2d', 'numpy.atleast_3d') and len(args) > 1 and not keywords:
            return Tuple(tuple(self.ev.distribution.call_rule(rule, [a], {}) for a in args))
        if rule.name == 'numpy.where' and len(args) == 1:
            rule = RULES['numpy.nonzero']
        if args and isinstance(args[0], Range):
            args = [self.ev.settled_entry(args[0]), *args[1:]]
        grows = bool(args) and isinstance(args[0], DynamicList)
        if rule.name in ('numpy.array',
                         'numpy.asarray') and (made := self.ev.list_arrays.array_of_list(args, keywords)) is not None:
            return made
        rows = args and isinstance(args[0], Var) and args[0].type.ndim and keywords.keys() <= {'axis'}
        if rule.name in JOINERS and (grows or rows):
            options = {**keywords, **dict(zip(('axis',), args[1:], strict=False))}
            return self.ev.placeholders.joined(rule.name.removeprefix('numpy.'), args[0], options)
        return self.ev.inplace.apply(rule, args, keywords)

    def bind_rule(
        self, rule: Rule, args: list[Binding], keywords: dict[str, Binding]
    ) -> tuple[list[Binding], dict[str, Binding]]:
        """Match a call's arguments to a rule's operands and statics, as NumPy's signature has them."""
        try:
            return rule.bind(args, keywords)
        except TypeError as error:
            raise UnsupportedFunction(
                f'`{rule.name}` is called in a way that its rule does not cover',
                self.origin,
                why=f'{error}; the rule takes {rule.signature}',
            ) from None

    def operate_by_name(self, name: str, operands: list[Binding], **statics: Any) -> Binding:
        return self.ev.operations.operate(
            RULES[name], operands, {k: v if isinstance(v, (Known, Var, Container)) else Known(v) for k, v in statics.items()}
        )

    def call_method(self, receiver: Binding, name: str, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        held = HELD_AT.get(name) if isinstance(receiver, Container) else None
        asked = [arg for place, arg in enumerate(args) if place != held]
        if any(map(is_optional, (*asked, *keywords.values()))):
            return self.ev.call(Method(receiver, name), *self.ev.parameters.certain_arguments(args, keywords, held))
        if isinstance(receiver, Container):
            return self.ev.changes.container_method(name, self.ev.current(receiver), args, keywords)
        if name in VARARGS and args and not isinstance(args[0], Container) and args != [Known(None)]:
            args = [Tuple(tuple(args))]
        if name in ('conj', 'conjugate') and is_real(type_ := self.ev.operand(receiver)[1]):
            return self.ev.unary(gast.UAdd, receiver) if type_ == BOOL else receiver  # itself, unlike what `np.conj` gives
        if name == 'conjugate' and isinstance(type_ := self.ev.operand(receiver)[1], Scalar) and type_.weak:
            real, imag = (self.operate_by_name(name, [receiver]) for name in ('numpy.real', 'numpy.imag'))
            return self.operate_by_name('python.complex', [real, self.ev.unary(gast.USub, imag)])
        if name == 'astype' and keywords.get('copy') == Known(False) and isinstance(self.ev.resolve(receiver.type), Array):
            return self.ev.inplace.apply(RULES['numpy.asarray'], [receiver, *args],
                                         {k: v for k, v in keywords.items() if k != 'copy'})
        rule = RULES.get(METHODS.get(name, ''))
        checked = rule.checked if rule is not None and not self.ev.ours else None
        written = inplace.METHODS.get(name) or python.METHODS.get(name) or checked
        if written is not None:
            return self.ev.inline(Closure(self.ev.template(written)), [receiver, *args], keywords)
        return self.ev.inplace.apply(rule, [receiver, *args], keywords)

    def cast(self, value: Binding, dtype: np.dtype) -> Binding:
        return self.operate_by_name('numpy.astype', [value], dtype=dtype)


def is_users(value: Any) -> bool:
    """Whether a function or class is of the program, which may do with None what it likes."""
    function = isinstance(value, (Function, types.MethodType, functools.partial)) or value is functools.partial or (
        isinstance(value, types.FunctionType) and not _is_library(value))
    return function or isinstance(value, type) and (is_instance_class(value) or hasattr(value, '_fields'))


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_library(function: types.FunctionType) -> bool:
    return (function.__module__ or '').split('.')[0] in ('numpy', 'scipy', 'math', 'numba')
