"""What every lowering of a primitive works with: typed expressions, casts, fresh names, and refusals."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast
import numpy as np

from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.language import Core
from transpiler.core.query import call_of, names
from transpiler.errors import CompileError, UnsupportedFunction
from transpiler.lower.context.guards import Guards
from transpiler.lower.context.values import Value, dtype_name, retyped
from transpiler.lower.context.views import Views
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.values.numbers import number_type
from transpiler.values.types import FLOAT, Array, Scalar, Type, Unknown

# What Numba has no arithmetic for.
MISSING_DTYPES = 'egGO'     # float16, longdouble, clongdouble, object
CUT = {'int64': 'int64', 'uint32': 'int64', 'uint64': 'uint64'}     # the integers that floats become first; else those of 32 bits
OTHERWISE = 'call the function without jit, or write this step differently'


class Context:
    """The program under construction, and the expressions everything is made of."""

    def __init__(self, core: Core, functions: Mapping[str, Core], target: Target = CPU, quiet: Quiet = never):
        self.functions, self.target, self.quiet = functions, target, quiet
        self.core = core
        self.passed = {n for s in core.statements if (call := call_of(s)) is not None for n in names(call)}
        self.here: gast.stmt | None = None   # the statement being lowered
        self.bound: str | None = None        # the name that it binds
        self.builder = Builder.of(core)
        self.guards, self.views = Guards(self), Views(self)

    @property
    def origin(self):
        return self.builder.origin

    def refuse(self, what: str, why: str, instead: str = OTHERWISE) -> CompileError:
        """The error for something that cannot be compiled, at the statement being lowered."""
        return CompileError(what, self.origin, why=why, instead=instead)

    def unsupported(self, primitive: str, why: str = 'there is no compiled form of it') -> UnsupportedFunction:
        shown = primitive.replace('numpy.', 'np.', 1).removeprefix('python.')
        return UnsupportedFunction(f'`{shown}` cannot be compiled', self.origin, why=why, instead=OTHERWISE)

    def type_of(self, name: str) -> Type:
        type_ = self.builder.types.get(name)
        if type_ is None or isinstance(type_, Unknown) or (isinstance(type_, Array) and type_.dims is None):
            raise self.refuse(f'the type of `{self.core.base(name)}` is not known', 'compiled code needs a dtype and a rank')
        if isinstance(type_, (Scalar, Array)) and (type_.dtype.char in MISSING_DTYPES or not type_.dtype.isnative):
            why = 'Numba cannot compute with it' if type_.dtype.isnative else "the order of its bytes is not the machine's"
            raise self.refuse(f'`{self.core.base(name)}` is {type_.dtype}', why, f'convert it first, or {OTHERWISE}')
        return type_

    @property
    def is_outside_vectors(self) -> bool:
        """Whether the statement being lowered is certainly done for one number at a time; `lower/statements.py` knows."""
        return False

    def named(self, value: Value, base: str = 'part') -> Value:
        """`value` as an atom, so that it can be mentioned twice."""
        if isinstance(value.node, (gast.Name, gast.Constant)):
            return value
        return Value(build.name(self.builder.define(base, value.node, value.type).name), value.type)

    @property
    def is_conditional(self) -> bool:
        """Whether the statement being lowered may never run."""
        return all(statement is not self.here for statement in self.core.body)

    def number(self, value: Value) -> Value:
        """An array without axes as the number in it; anything else as it is."""
        if value.is_scalar or value.ndim:
            return value
        return Value(build.subscript(value.node, ()), Scalar(value.dtype))

    def number_of(self, node: gast.expr) -> gast.expr:
        """An integer operand, such as the bound of a slice: one that is too long is cut off, as Python cuts it."""
        value = self.number(self.value(node))
        if value.dtype == np.uint64 and value.constant is None:
            value = Value(build.call('numpy.minimum', value.node, build.call('numpy.uint64', 2**63 - 1)), value.type)
        return self.cast(value, 'int64').node

    def value(self, node: gast.expr, type_: Type | None = None) -> Value:
        """The lowered expression; `lower/expressions.py` knows how."""
        raise TypeError('a context alone lowers no expressions')

    def cast(self, value: Value, dtype: Any) -> Value:
        """`value` with that dtype: a number becomes a NumPy one, a constant is written in its new kind, an array is copied."""
        dtype = np.dtype(dtype)
        if value.is_weak and value.dtype.kind == 'i' and dtype.kind in 'iu':
            value = self.guards.within(value, dtype)
        if value.dtype == dtype:
            return value
        if value.dtype.kind == 'c' and dtype.kind in 'fiu':
            value = self.real(value, 'float' if dtype.kind == 'f' else 'int')
        if value.dtype.kind == 'f' and dtype.kind in 'iu':
            long = CUT.get(dtype.name, 'int32')
            value = Value(build.call(self.target.integers.cut.format(long), value.node), retyped(value.type, long))
            if value.dtype == dtype:
                return value
        if not value.is_scalar:
            return Value(build.call(self.target.memory.converted, value.node, dtype_name(dtype)), retyped(value.type, dtype))
        plain = {'float64': float, 'int64': int, 'complex128': complex}.get(dtype.name)
        if value.constant is not None and plain:
            return Value(build.constant(plain(value.constant)), number_type(plain(0)))
        return Value(build.call(dtype_name(dtype).id, value.node), Scalar(dtype))

    def real(self, value: Value, kind: str) -> Value:
        """The real part, which NumPy takes of its complex numbers with a warning; of Python's it raises."""
        if value.is_weak:
            said = f"{kind}() argument must be a string or a real number, not 'complex'"
            self.guards.require(build.constant(True), 'TypeError', said)
            return Value(build.constant(0.0), FLOAT)
        return Value(build.call('numpy.real', value.node), retyped(value.type, np.finfo(value.dtype).dtype))

    def shape(self, value: Value) -> list[gast.expr]:
        """The sizes of a named array, one expression per axis."""
        return [build.subscript(build.attribute(value.node, 'shape'), k) for k in range(value.ndim)]

    def literal(self, node: gast.expr | None, what: str = 'argument') -> Any:
        """The Python value of a static argument: numbers, flags, None, strings, tuples and lists of these."""
        match node:
            case None:
                return None
            case gast.Constant(value=value):
                return value
            case gast.Tuple(elts=elts):
                return tuple(self.literal(e, what) for e in elts)
            case gast.List(elts=elts):
                return [self.literal(e, what) for e in elts]
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return -self.literal(operand, what)
        raise self.refuse(f'the {what} must be known when the code is generated', 'it decides what is compiled')
