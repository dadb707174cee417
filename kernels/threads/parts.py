"""A loop in parts, for compiled code: how many, and the call of the function that runs one of them."""
from __future__ import annotations

from weakref import WeakKeyDictionary

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callconv import RETCODE_USEREXC
from numba.core.compiler import Flags, compile_internal
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from kernels.symbols import WORD, address_of, declared, in_memory
from kernels.threads import pool
from kernels.threads.atomics import load

NUMBER = types.int64
_pool = address_of(pool.NAME)
PARTS = 4  # of each thread, so that one that is held up leaves more to the others


@pool.compiled
def _parts_of(turns, work):
    threads, grain = load(_pool() + pool.THREADS), load(_pool() + pool.GRAIN)
    if threads == 1 or work < 2 * grain:
        return 1
    parts = work // grain
    for most in (turns, PARTS * threads, pool.MOST_PARTS):
        parts = most if most < parts else parts
    return parts if parts > 1 else 1


def parts_of(turns, work):
    """In how many parts to run so many turns, in which so many operations are done in all.

    >>> parts_of(1_000, 0), parts_of(1, 10 ** 9)
    (1, 1)
    """
    return _parts_of(turns, work)


@infer_global(parts_of)
class _PartsOf(AbstractTemplate):
    """The type of `parts_of`: that of any numbers, where each constant would be a type of its own.

    Not by a signature in its decorator: that compiles during the import, which a helper that compiles may be waiting for.
    """

    def generic(self, args, kws):
        return self.context.resolve_value_type(_parts_of).get_call_type(self.context, (NUMBER, NUMBER), kws)


@lower_builtin(parts_of, types.Integer, types.Integer)
def _compiled_parts_of(context, builder, outer, args):
    return context.get_function(context.typing_context.resolve_value_type(_parts_of), outer)(builder, args)


@pool.compiled
def most_parts():
    """In how many parts a loop may run.

    >>> most_parts() >= parts_of(1_000, 10 ** 9)
    True
    """
    return min(PARTS * load(_pool() + pool.THREADS), pool.MOST_PARTS)


def in_parts(function, parts, turns, arguments):
    """Call `function(part, low, count, *arguments)` for every part, of `count` turns from `low` on; several may run at a time.

    All parts run even if one of them raises an exception; if several do, one of these exceptions comes out.

    >>> def show(part, low, count, name):
    ...     print(name, part, low, count)
    >>> in_parts(show, 2, 5, ('x',))
    x 0 0 2
    x 1 2 3
    """
    for part in range(parts):
        low = part * turns // parts
        function(part, low, (part + 1) * turns // parts - low, *arguments)


@infer_global(in_parts)
class _InParts(AbstractTemplate):
    """The type of `in_parts`: said by hand, since an overload would take the function for a value that no cache can hold."""

    def generic(self, args, kws):
        function, _, _, arguments = args
        return signature(types.none, function, NUMBER, NUMBER, arguments)


@lower_builtin(in_parts, types.Dispatcher, types.Integer, types.Integer, types.BaseTuple)
def _compiled_in_parts(context, builder, outer, args):
    """Call the function once if there is one part; otherwise pack the arguments, and let the pool run all parts."""
    function, _, _, kind = outer.args
    _, parts, turns, packed = args
    given = cgutils.unpack_tuple(builder, packed)
    inner, zero = signature(types.none, NUMBER, NUMBER, NUMBER, *kind.types), WORD(0)
    compiled = _compiled(context, function.dispatcher, inner)
    with builder.if_else(builder.icmp_signed('==', parts, WORD(1))) as (alone, together):
        with alone:
            status = _call(context, builder, compiled, inner, [zero, zero, turns, *given])
            with builder.if_then(status.is_error, likely=False):
                context.call_conv.return_status_propagate(builder, status)
        with together:
            task = cgutils.alloca_once(builder, ir.LiteralStructType([WORD, WORD, WORD, *(v.type for v in given)]))
            for place, value in enumerate((zero, parts, turns, *given)):
                builder.store(value, _field(builder, task, place))
            step = _step(context, builder, compiled, inner, task.type)
            addresses = [builder.ptrtoint(pointer, WORD) for pointer in (in_memory(builder.module, pool.NAME), step, task)]
            builder.call(declared(builder.module, pool.run), [*addresses, parts])
            failure = builder.load(_field(builder, task, 0))
            with builder.if_then(builder.icmp_signed('!=', failure, zero), likely=False):
                raised = builder.inttoptr(failure, status.excinfoptr.type)
                context.call_conv.return_status_propagate(builder, status._replace(code=RETCODE_USEREXC, excinfoptr=raised))
    return context.get_dummy_value()


def _field(builder, task, place):
    return builder.gep(task, [ir.IntType(32)(0), ir.IntType(32)(place)])


_made: WeakKeyDictionary = WeakKeyDictionary()  # library -> what it holds by now, by function and types


def _compiled(context, dispatcher, inner):
    """The function as a part of the library that is being compiled: one of its own would take three times as long."""
    made = _made.setdefault(context.active_code_library, {})
    key = dispatcher, inner
    if key not in made:
        made[key] = _compiled_anew(context, dispatcher, inner)
    return made[key]


def _compiled_anew(context, dispatcher, inner):
    flags = Flags()
    dispatcher.targetdescr.options.parse_as_flags(flags, dispatcher.targetoptions)
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    library, types = context.active_code_library, context.typing_context
    return compile_internal(types, context, library, dispatcher.py_func, inner.args, inner.return_type, flags, {}).fndesc


def _call(context, builder, compiled, signature, args):
    """Call the function, which stands in the machine code once, and give its status."""
    function = context.declare_function(builder.module, compiled)
    return context.call_conv.call_function(builder, function, signature.return_type, signature.args, args, attrs=('noinline',))[0]


def _step(context, outside, compiled, signature, kind):
    """A function that runs one part of the task at an address: what was raised, its parts and turns, and the arguments."""
    module = outside.module
    step = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD, WORD]), module.get_unique_name('in_parts.step'))
    step.linkage = 'internal'
    builder = ir.IRBuilder(step.append_basic_block())
    task, part = builder.inttoptr(step.args[0], kind), step.args[1]
    parts, turns, *given = (builder.load(_field(builder, task, place)) for place in range(1, len(kind.pointee.elements)))
    low, end = (builder.sdiv(builder.mul(number, turns), parts) for number in (part, builder.add(part, WORD(1))))
    status = _call(context, builder, compiled, signature, [part, low, builder.sub(end, low), *given])
    with builder.if_then(status.is_error, likely=False):
        builder.store(builder.ptrtoint(status.excinfoptr, WORD), _field(builder, task, 0))
    builder.ret_void()
    return step
