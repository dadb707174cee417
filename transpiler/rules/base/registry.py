"""The registry of primitives: a rule per NumPy function, its type, derivative and test inputs in one place.

A rule's function is a *template*: plain Python in the transpiler's own language, parsed (never traced) and inlined into
the generated code. After the leading `ct` (cotangent of the result) and `ans` (the result), where present, its
parameters are those of the primitive, under the same names and in the same order: those without default are operands,
those with a default are static (an axis, a flag). `static=` names static parameters that have no default.

Kinds (DESIGN.md, section 6):

elementwise   `f(ans, x, y)` returns the partials, one per operand; or, with a leading `ct`, the operands' cotangents
              themselves (for selections such as `where`, which must not multiply by zero). Broadcasting is the engine's.
linear        `f(ct, x)` returns the transpose applied to `ct`
vjp           `f(ct, ans, x, y)` returns the cotangent of each operand, already in the operand's shape
inactive      no derivative: comparisons, rounding, creation; the template only gives the signature
definition    the function itself, written in the language (kernels/definitions/); differentiated by inlining

Batching is derived for what works element by element, and declared for the rest: `@batched(np.sum)` decorates a template
`f(function, x, axis=None)` that is given operands with the axis of examples in front, and calls `function` on them.

Forward mode follows from partials; selections are their own transposes. A linear rule is applied to the tangents; so is one
that is `jointly_linear`, and one that is `linear_in` operands gives a sum of terms with one tangent each. `@jvp` gives the
tangent of all others.

A cotangent of None says that the operand has none. With several operands a tuple is returned; an operand that is a
sequence of arrays (`sequences=`) gets a tuple of cotangents, and so does a star parameter.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from transpiler.core.naming import RUNTIME
from transpiler_kernels.definitions.known import divide as divide  # for templates, as for definitions
from transpiler_kernels.definitions.known import known as known
from transpiler_kernels.definitions.known import numpys as numpys
from transpiler_kernels.definitions.known import presumably_less as presumably_less

REQUIRED = inspect.Parameter.empty      # the default of a static parameter that must be given

KINDS = ('elementwise', 'linear', 'vjp', 'inactive', 'definition')


@dataclass(frozen=True)
class Rule:
    """How one primitive behaves. `name` is dotted ('numpy.tanh'); `template` is described in this module's docstring.

    signature:  of a call to the primitive (without `ct` and `ans`); `bind` the user's arguments to it
    operands:   names of the parameters that are run-time values; statics: name -> default (or REQUIRED) of the others
    runtime:    statics that may hold run-time integers (or tuples of them): a shape, a shift, a number of points
    real:       those of them that may be floats, too; the others are integers for NumPy
    allowed:    static -> the values that the rule covers; any other must be refused
    beyond:     the definition that is meant where they are not covered, if there is one
    checked:    the definition that a user's call stands for, if the rule takes for granted what only the run can tell
    sequences:  operands that are sequences as they are; any other sequence is made an array; variadic: the star operand, or None
    nested:     a sequence in one of these sequences is one as it is, too
    view:       the result may share the memory of the first operand
    real_only:  the derivative is wrong for complex operands: refuse them
    of_complex: the definition that is meant where an operand is complex, if the rule is for real numbers only
    named:      the class of named tuples that several results are, if they have names
    type:       `f(*operand_types, **statics) -> Type`, or None: NumPy itself is asked, on small probes
    fold:       `f(*operand_types, **statics)` -> the result where types decide it (`np.iscomplexobj`), else None
    identity:   `f(*operand_types, **statics)` -> whether types tell that the result is the first operand, unchanged
    jointly_linear: in all operands together: the tangent of the result is the primitive of the tangents
    fixed:      operands by which there is a derivative, but none that the rule gives: refuse those that vary
    linear_in:  operands in each of which it is linear, the others fixed; by those that are not named it has no derivative
    scales:     operands in each of which it is linear, others with derivatives of their own being fixed (`x1` of `x1 / x2`)
    picks:      the result depends on some of the items only: the cotangents of the others are zero
    steep:      `f(*operands)`, None for those not known -> whether a finite result may have an infinite slope (`np.sqrt` at 0)
    poles:      likewise, whether finite operands may give an infinite result, or none (`np.log` at 0)
    jvp:        template of the tangent, where it does not follow: `f(x_dot, y_dot, ans, x, y, axis=...)`; 0.0 is no tangent
    domain:     the interval that test inputs are drawn from, or one per operand
    examples:   `rules.examples.Case`s; the rule tests run over them
    """

    name: str
    kind: str
    template: Callable
    signature: inspect.Signature
    operands: tuple[str, ...]
    statics: Mapping[str, Any]
    primitive: Callable
    runtime: tuple[str, ...] = ()
    real: tuple[str, ...] = ()
    allowed: Mapping[str, tuple] = field(default_factory=lambda: MappingProxyType({}))
    beyond: Callable | None = None
    checked: Callable | None = None
    sequences: tuple[str, ...] = ()
    nested: bool = False
    variadic: str | None = None
    view: bool = False
    real_only: bool = False
    of_complex: Callable | None = None
    fixed: tuple[str, ...] = ()
    named: type | None = None
    type: Callable | None = None
    fold: Callable | None = None
    identity: Callable | None = None
    domain: tuple = (-2.0, 2.0)
    examples: tuple[Any, ...] = ()
    takes_ct: bool = False
    takes_ans: bool = False
    jointly_linear: bool = False
    linear_in: tuple[str, ...] = ()
    scales: tuple[str, ...] = ()
    picks: bool = False
    steep: Callable | None = None
    poles: Callable | None = None
    jvp: Callable | None = None
    jvp_takes_ans: bool = False

    def __hash__(self) -> int:
        return hash(self.name)

    def bind(self, args, keywords: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The operands (those of a star parameter at the end) and the statics given in a call; TypeError if it does not fit."""
        given = dict(self.signature.bind(*args, **keywords).arguments)
        star = given.pop(self.variadic, ()) if self.variadic else ()
        operands = [given[name] for name in self.operands if name != self.variadic]
        return [*operands, *star], {name: value for name, value in given.items() if name in self.statics}

    def names_of(self, operands) -> list[str]:
        """The parameter that each of the operands is for."""
        names = [name for name in self.operands if name != self.variadic]
        return names + [self.variadic] * (len(operands) - len(names)) if self.variadic else names

    def arrange(self, operands, statics: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The positional and keyword arguments of a call, in the order of the primitive's own signature.

        Operands and required statics go by position as far as that works, other statics by keyword.
        """
        args, keywords, rest = [], {}, list(operands)
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += rest
            elif name in self.operands:
                args.append(rest.pop(0))
            elif name in statics:
                by_position = parameter.kind is not parameter.KEYWORD_ONLY and not keywords and len(args) == self._position(name)
                if by_position and (self.statics[name] is REQUIRED or name in self.runtime):
                    args.append(statics[name])
                else:
                    keywords[name] = statics[name]
        return args, keywords

    def _position(self, name: str) -> int:
        return list(self.signature.parameters).index(name)

    def domain_of(self, position: int) -> tuple[float, float]:
        """The interval that the operand at `position` is drawn from in tests."""
        return self.domain[position] if isinstance(self.domain[0], tuple) else self.domain


@dataclass(frozen=True)
class Batching:
    """How a primitive runs on all examples at once: `template(function, *operands, **statics)`, operands batched.

    mixed: the template takes, after `function`, a tuple that tells which operands are batched; the others are as they were
    only: of such a tuple whether the template covers it
    None as the template: the call as it stands, with operands whose ranks are aligned.
    """

    template: Callable | None
    mixed: bool = False
    only: Callable[[tuple[bool, ...]], bool] | None = None


RULES: dict[str, Rule] = {}
BATCHED: dict[str, Batching] = {}
PRIMITIVES: dict[Callable, str] = {}     # a library function -> its rule's name; aliases share a rule


def dotted(function: Callable) -> str:
    """The canonical dotted name of a library function.

    >>> import numpy; dotted(numpy.linalg.inv), dotted(len)
    ('numpy.linalg.inv', 'python.len')
    """
    module = getattr(function, '__module__', None) or 'numpy'
    home = {'builtins': 'python', f'{RUNTIME}.arrays': 'kernels'}.get(module, module).replace(RUNTIME, 'kernels')
    return f'{home}.{function.__name__}'


def jvp(*primitives: Callable) -> Callable:
    """Register the decorated template as the forward mode of primitives that have a rule; parameters `x_dot` come first.

    After them `ans`, if it is wanted, and then the parameters of the primitive.
    """
    def enter(template: Callable) -> Callable:
        for primitive in primitives:
            name = PRIMITIVES[primitive]
            takes_ans = 'ans' in inspect.signature(template).parameters
            RULES[name] = replace(RULES[name], jvp=template, jvp_takes_ans=takes_ans)
        return template
    return enter


def register(kind: str, primitive: Callable, template: Callable, *, name: str | None = None, aliases=(), static=(),
             **details: Any) -> Rule:
    """Enter a rule: `primitive` and its `aliases` behave as `template` says."""
    parameters = list(inspect.signature(template).parameters.values())
    leading = [p.name for p in parameters if p.name in ('ct', 'ans')] if kind not in ('inactive', 'definition') else []
    own = parameters[len(leading):]
    name = name or dotted(primitive)
    if name in RULES:
        raise ValueError(f'{name} has a rule already')
    details.setdefault('jointly_linear', kind == 'linear')
    variadic = [p.name for p in own if p.kind is p.VAR_POSITIONAL]
    statics = {p.name: p.default for p in own if p.default is not p.empty or p.name in static}
    rule = Rule(name, kind, template, inspect.Signature(own), tuple(p.name for p in own if p.name not in statics),
                MappingProxyType(statics), primitive, variadic=variadic[0] if variadic else None,
                takes_ct='ct' in leading, takes_ans='ans' in leading, **details)
    RULES[name] = rule
    for function in (primitive, *aliases):
        PRIMITIVES[function] = name
    return rule


def _decorator(kind: str) -> Callable:
    def rule_for(*primitives: Callable, **details: Any) -> Callable:
        def enter(template: Callable) -> Callable:
            for primitive in primitives:
                register(kind, primitive, template, **details)
            return template
        return enter
    rule_for.__name__ = rule_for.__qualname__ = kind
    rule_for.__doc__ = f'Register the decorated template as the {kind} rule of each primitive; `aliases=` share one rule.'
    return rule_for


elementwise, linear, vjp, inactive, definition = (_decorator(kind) for kind in KINDS)


def batched(*primitives: Callable, **details: Any) -> Callable:
    """Register the decorated template as what each primitive does to a batch; the rule of the primitive comes first."""
    def enter(template: Callable) -> Callable:
        for primitive in primitives:
            BATCHED[PRIMITIVES[primitive]] = Batching(template, **details)
        return template
    return enter


def element_by_element(*primitives: Callable) -> None:
    """Say of primitives that are no ufuncs that they do the same to every element."""
    for primitive in primitives:
        BATCHED[PRIMITIVES[primitive]] = Batching(None)


def batching_of(rule: Rule) -> Batching | None:
    """How the primitive of a rule runs on a batch; None if it must be called for one example after the other."""
    ufunc = isinstance(rule.primitive, np.ufunc) and rule.primitive.signature is None
    return BATCHED.get(rule.name) or (Batching(None) if ufunc or rule.kind == 'elementwise' else None)


def static_helper(function: Callable) -> Callable:
    """Mark plain Python that runs for real while code is generated, wherever all its arguments are static."""
    function.__transpiler_static__ = True
    return function
