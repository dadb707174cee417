"""What every lowering of a primitive works with: typed expressions, casts, fresh names, and refusals."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.analyses.memory.memory_order import in_c_order
from transpiler.analyses.memory.views import bases, views_of
from transpiler.analyses.numeric.ranges import ranges
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.language import Core
from transpiler.core.query import call_of, names, walk
from transpiler.errors import CompileError, UnsupportedFunction
from transpiler.lower.context.view_semantics import described, is_copy_noticed, shared_later
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.values.intervals import ANY, Interval, is_inside, of_dtype
from transpiler.values.numbers import number_type
from transpiler.values.types import FLOAT, Array, Scalar, Type, Unknown

# What Numba has no arithmetic for.
MISSING_DTYPES = 'egGO'     # float16, longdouble, clongdouble, object
CUT = {'int64': 'int64', 'uint32': 'int64', 'uint64': 'uint64'}     # the integers that floats become first; else those of 32 bits
OTHERWISE = 'call the function without jit, or write this step differently'


@dataclass(frozen=True)
class Value:
    """An expression and the type that Numba gives it; a weak type there means Python's int, float, bool or complex."""

    node: gast.expr
    type: Type

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype

    @property
    def ndim(self) -> int:
        return self.type.ndim

    @property
    def is_scalar(self) -> bool:
        return isinstance(self.type, Scalar)

    @property
    def is_weak(self) -> bool:
        return self.is_scalar and self.type.weak

    @property
    def constant(self) -> Any:
        """The number that this is, or None."""
        return self.node.value if isinstance(self.node, gast.Constant) else None


def weak(number: float) -> Value:
    """A Python number."""
    return Value(build.constant(number), number_type(number))


def called(dtype: Any, ndim: int, function: str, *args: Any) -> Value:
    """A call that gives an array, or a number if `ndim` is 0.

    >>> called('float32', 1, 'numpy.ravel', 'x').type.ndim
    1
    """
    return Value(build.call(function, *args), array_type(dtype, ndim) if ndim else Scalar(np.dtype(dtype)))


def retyped(type_: Type, dtype: Any) -> Scalar | Array:
    """A number of NumPy's, or an array, of another dtype."""
    return Scalar(np.dtype(dtype)) if isinstance(type_, Scalar) else replace(type_, dtype=np.dtype(dtype))


def array_type(dtype: Any, ndim: int) -> Array:
    return Array(np.dtype(dtype), (None,) * ndim)


def holds(dtype: np.dtype, constant: Any) -> bool:
    """Whether an integer type surely holds a Python integer; None is one that only run time tells.

    >>> holds(np.dtype('uint8'), 200), holds(np.dtype('uint8'), -1), holds(np.dtype('int8'), None), holds(np.dtype('int64'), None)
    (True, False, False, True)
    >>> holds(np.dtype('int64'), 2 ** 63)
    False
    """
    ends = np.iinfo(dtype)
    return dtype == np.int64 if constant is None else ends.min <= constant <= ends.max


class Context:
    """The program under construction, and the expressions everything is made of."""

    def __init__(self, core: Core, functions: Mapping[str, Core], target: Target = CPU, quiet: Quiet = never):
        self.functions, self.target, self.quiet = functions, target, quiet
        self.core, self._shared = core, shared_later(core)
        self.passed = {n for s in walk(core.body) if (call := call_of(s)) is not None for n in names(call)}
        self.here: gast.stmt | None = None   # the statement being lowered
        self.bound: str | None = None        # the name that it binds
        self.builder = Builder.of(core)

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

    @property
    def is_shared(self) -> bool:
        """Whether what the statement being lowered shows may be written later, so that a copy would be noticed."""
        return self.here in self._shared

    def in_c_order(self, value: Value, source: gast.expr) -> Value:
        """The array `source` in C order: a copy where need be, but never one that writes would show to be a copy."""
        if not self.is_shared:
            return Value(build.call('numpy.ascontiguousarray', value.node), value.type)
        name = source.id if isinstance(source, gast.Name) else ''
        root = [name, *bases(name, views_of(self.core))][-1]
        ordered = root in self.core.inputs or name in in_c_order(self.core)
        if not ordered:
            self.must_not_show('whether NumPy makes a view of it depends on the order of its items, which may differ here')
        return Value(build.call(self.target.memory.in_place if ordered else 'numpy.ascontiguousarray', value.node), value.type)

    def apart(self, target: gast.Subscript, value: Value, node: gast.expr) -> Value:
        """A copy of a value, or index, that shares memory with the array it goes into: NumPy looks for that, helpers do not."""
        named = isinstance(node, gast.Name) and isinstance(target.value, gast.Name)
        shared = named and memory(self.core).may_alias(target.value.id, node.id)
        return value if value.is_scalar or not shared else Value(build.call('numpy.copy', value.node), value.type)

    def must_not_show(self, why: str) -> None:
        """Refuse to copy where NumPy has a view of memory that is written to later, if somebody would notice."""
        if self.is_shared and is_copy_noticed(self.core, self.here):
            raise self.refuse(f'{described(self.core, self.here)} may show memory that is written to', why)

    def number(self, value: Value) -> Value:
        """An array without axes as the number in it; anything else as it is."""
        if value.is_scalar or value.ndim:
            return value
        return Value(build.subscript(value.node, ()), Scalar(value.dtype))

    def number_of(self, node: gast.expr) -> gast.expr:
        """An integer operand, such as the bound of a slice."""
        return self.cast(self.number(self.value(node)), 'int64').node

    def value(self, node: gast.expr, type_: Type | None = None) -> Value:
        """The lowered expression; `lower/expressions.py` knows how."""
        raise TypeError('a context alone lowers no expressions')

    def cast(self, value: Value, dtype: Any) -> Value:
        """`value` with that dtype: a number becomes a NumPy one, a constant is written in its new kind, an array is copied."""
        dtype = np.dtype(dtype)
        if value.is_weak and value.dtype.kind == 'i' and dtype.kind in 'iu':
            value = self.within(value, dtype)
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
            self.require(build.constant(True), 'TypeError', f"{kind}() argument must be a string or a real number, not 'complex'")
            return Value(build.constant(0.0), FLOAT)
        return Value(build.call('numpy.real', value.node), retyped(value.type, np.finfo(value.dtype).dtype))

    def within(self, value: Value, dtype: np.dtype) -> Value:
        """A Python integer behind a test of whether that dtype holds it: NumPy raises where it does not."""
        if holds(dtype, value.constant) or is_inside(self.integers(value), of_dtype(dtype)):
            return value
        if value.constant is not None and dtype == np.int64 and not self.is_conditional:   # it may stand among Python's own
            raise self.refuse(f'{value.constant} does not fit into {dtype}', 'compiled code has no longer integers',
                              'make it a float')
        if value.constant is not None:
            self.require(build.constant(True), 'OverflowError', f'Python integer {value.constant} out of bounds for {dtype}')
            return Value(build.constant(0), value.type)
        value = self.named(value, 'number')
        self.refuse_outside(value, dtype)
        return value

    def integers(self, value: Value) -> Interval:
        """The integers that a number may be where the statement being lowered stands."""
        return ranges(self.core).of(value.node, self.here) or of_dtype(value.dtype) or ANY

    def refuse_outside(self, value: Value, dtype: np.dtype) -> None:
        """Raise, or let another version of the program find out, if a named integer is none of that dtype."""
        (low, high), (least, most) = self.integers(value), of_dtype(dtype)
        asked = [build.compare(value.node, gast.Lt, least)] if low < least else []
        if high > most:     # Numba compares unsigned numbers of 64 bits with others as floats
            last = build.call('numpy.uint64', most) if value.dtype == np.uint64 else build.constant(most)
            asked.append(build.compare(value.node, gast.Gt, last))
        wrong = asked[0] if len(asked) == 1 else gast.BoolOp(op=gast.Or(), values=asked)
        if not self.gives_up(wrong):
            self._fail_if(wrong, self.out_of_bounds(dtype, value.node))

    def out_of_bounds(self, dtype: np.dtype, integer: gast.expr, shown: str = '') -> gast.expr:
        """What NumPy raises for an integer that a dtype does not hold."""
        said = (build.constant(part) for part in (
            'builtins:OverflowError', f'Python integer {{0{shown}}} out of bounds for {dtype}', '-'))
        return build.call(self.target.checks.failure, *said, integer)

    def require(self, wrong: gast.expr, error: str, message: str) -> None:
        """Raise what NumPy would raise if `wrong` holds at run time."""
        self._fail_if(wrong, build.call(f'python.{error}', build.constant(message)))

    def gives_up(self, wrong: gast.expr) -> bool:
        """Let another version of the program find out, if `wrong` holds, what to raise; that loops in threads may do, too.

        False where it is too late for that.
        """
        early = self.here is not None and self.quiet(self.here)
        if early:
            self._fail_if(wrong, build.name(self.target.checks.bail_out))
        return early

    def _fail_if(self, wrong: gast.expr, error: gast.expr) -> None:
        with self.builder.nested() as failure:
            self.fail(error)
        self.builder.append(build.branch(wrong, failure, (), self.origin, self.builder.role))

    def fail(self, error: gast.expr) -> None:
        self.builder.append(build.fail(error, self.origin, self.builder.role))

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


def dtype_name(dtype: Any) -> gast.Name:
    """The name that stands for a dtype in compiled code.

    >>> dtype_name('float32').id, dtype_name(bool).id
    ('numpy.float32', 'numpy.bool_')
    """
    name = np.dtype(dtype).name
    return build.name('numpy.bool_' if name == 'bool' else f'numpy.{name}')
