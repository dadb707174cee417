"""A loop in parts, for compiled code: how many, and the call of the function that runs one of them."""
from __future__ import annotations

from weakref import WeakKeyDictionary

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callconv import RETCODE_EXC, RETCODE_USEREXC, Status, excinfo_ptr_t
from numba.core.compiler import Flags
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from transpiler_kernels.interrupts.looking import OVER
from transpiler_kernels.interrupts.places import GRAIN, NAME, THREADS
from transpiler_kernels.machine.atomics import load
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.machine.symbols import WORD, address_of, declared, in_memory, in_python, once
from transpiler_kernels.threads import pool

NUMBER = types.int64
_pool = address_of(NAME)
PARTS = 4  # of each thread, so that one that is held up leaves more to the others
PLACE = 48  # bits of an address; those above say in which part an exception was raised
NONE = -1  # no exception, which comes after all others


@once('transpiler_parts_of', NUMBER(NUMBER, NUMBER))
def _parts_of(iterations, work):
    threads, grain = load(_pool() + THREADS), load(_pool() + GRAIN)
    if threads == 1 or work < 2 * grain:
        return 1
    parts = work // grain
    parts = parts if parts < PARTS * threads else PARTS * threads
    parts = parts if parts < pool.MOST_PARTS else pool.MOST_PARTS
    parts = parts if parts < iterations else iterations
    return parts if parts > 1 else 1


def parts_of(iterations, work):
    """In how many parts to run so many iterations, in which so many operations are done in all.

    >>> parts_of(1_000, 0), parts_of(1, 10 ** 9)
    (1, 1)
    """
    return in_python(_parts_of)(iterations, work)


@infer_global(parts_of)
class _PartsOf(AbstractTemplate):
    """The type of `parts_of`: that of any numbers, where each constant would be a type of its own."""

    def generic(self, args, kws):
        return signature(NUMBER, NUMBER, NUMBER)


@lower_builtin(parts_of, types.Integer, types.Integer)
def _compiled_parts_of(context, builder, outer, args):
    return builder.call(declared(builder.module, _parts_of), args)


@kernel()
def most_parts():
    """In how many parts a loop may run.

    >>> most_parts() >= parts_of(1_000, 10 ** 9)
    True
    """
    return min(PARTS * load(_pool() + THREADS), pool.MOST_PARTS)


def in_parts(function, parts, iterations, arguments):
    """Call `function(part, low, count, *arguments)` for every part, of `count` iterations from `low` on; several may run at once.

    What the function writes must be no part of the memory of two of the arguments: half the machine code is what would ask that.
    If several raise an exception, that of the first part comes out; parts after one that has are not begun any more. A signal
    that the caller handles ends all of them.

    >>> def show(part, low, count, name):
    ...     print(name, part, low, count)
    >>> in_parts(show, 2, 5, ('x',))
    x 0 0 2
    x 1 2 3
    """
    for part in range(parts):
        low = part * iterations // parts
        function(part, low, (part + 1) * iterations // parts - low, *arguments)


def in_parts_sharing(function, parts, iterations, arguments):
    """As `in_parts`, but arguments may share memory that the function writes."""
    in_parts(function, parts, iterations, arguments)


@infer_global(in_parts)
@infer_global(in_parts_sharing)
class _InParts(AbstractTemplate):
    """The type of `in_parts`: said by hand, since an overload would take the function for a value that no cache can hold."""

    def generic(self, args, kws):
        function, _, _, arguments = args
        return signature(types.none, function, NUMBER, NUMBER, arguments)


@lower_builtin(in_parts, types.Dispatcher, types.Integer, types.Integer, types.BaseTuple)
def _compiled_in_parts(context, builder, outer, args, apart=True):
    """Call the function for the one part there is; or pack the arguments, and let the pool run all parts."""
    function, _, _, kind = outer.args
    _, parts, iterations, packed = args
    inner = signature(types.none, NUMBER, NUMBER, NUMBER, *kind.types)
    compiled, given = _compiled(context, function.dispatcher, inner, apart), cgutils.unpack_tuple(builder, packed)
    with builder.if_else(builder.icmp_signed('==', parts, WORD(1))) as (alone, together):
        with alone:
            status = _run(context, builder, compiled, inner, [WORD(0), WORD(0), iterations, *given])
            with builder.if_then(status.is_error, likely=False):
                context.call_conv.return_status_propagate(builder, status)
        with together:
            _run_in_pool(context, builder, compiled, inner, parts, iterations, given)
    return context.get_dummy_value()


def _run(context, builder, compiled, inner, arguments):
    """The status of a call of the function, which is big: it stands in the machine code once."""
    function = context.declare_function(builder.module, compiled)
    status, _ = context.call_conv.call_function(builder, function, inner.return_type, inner.args, arguments, attrs=('noinline',))
    return status


def _run_in_pool(context, builder, compiled, inner, parts, iterations, given):
    task = cgutils.alloca_once(builder, ir.LiteralStructType([WORD, WORD, WORD, *(v.type for v in given)]))
    for place, value in enumerate((WORD(NONE), parts, iterations, *given)):
        builder.store(value, _field(builder, task, place))
    step = _step(context, builder, compiled, inner, task.type)
    pool_address, step_address, task_address = (
        builder.ptrtoint(pointer, WORD) for pointer in (in_memory(builder.module, NAME), step, task))
    builder.call(declared(builder.module, pool.run), [pool_address, step_address, task_address, parts])
    failure = builder.load(_field(builder, task, 0))
    with builder.if_then(builder.icmp_signed('!=', failure, WORD(NONE)), likely=False):
        address = builder.and_(failure, WORD(2 ** PLACE - 1))
        code = builder.select(builder.icmp_signed('==', failure, WORD(OVER)), RETCODE_EXC, RETCODE_USEREXC)
        raised = {'code': code, 'excinfoptr': builder.inttoptr(address, excinfo_ptr_t)}
        context.call_conv.return_status_propagate(builder, Status(**dict.fromkeys(Status._fields) | raised))


@lower_builtin(in_parts_sharing, types.Dispatcher, types.Integer, types.Integer, types.BaseTuple)
def _compiled_in_parts_sharing(context, builder, outer, args):
    return _compiled_in_parts(context, builder, outer, args, apart=False)


def _field(builder, task, place):
    return builder.gep(task, [ir.IntType(32)(0), ir.IntType(32)(place)])


_made: WeakKeyDictionary = WeakKeyDictionary()  # library -> what it holds by now, by function, types, and what shares memory


def _compiled(context, dispatcher, inner, apart):
    """The function as a part of the library that is being compiled: one of its own would take three times as long."""
    made = _made.setdefault(context.active_code_library, {})
    key = dispatcher, inner, apart
    if key not in made:
        made[key] = _compiled_anew(context, *key)
    return made[key]


def _compiled_anew(context, dispatcher, inner, apart):
    flags = Flags()
    flags.noalias = apart
    dispatcher.targetdescr.options.parse_as_flags(flags, dispatcher.targetoptions)
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    library, types = context.active_code_library, context.typing_context
    pipeline = dispatcher._compiler.pipeline_class(types, context, library, inner.args, inner.return_type, flags, {})
    return pipeline.compile_extra(dispatcher.py_func).fndesc


def _step(context, outside, compiled, signature, kind):
    """A function that runs one part of the task at an address: what was raised, its parts and iterations, and the arguments."""
    module = outside.module
    step = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD, WORD]), module.get_unique_name('in_parts.step'))
    step.linkage = 'internal'
    step.attributes.add('noinline')
    builder = ir.IRBuilder(step.append_basic_block())
    task, part = builder.inttoptr(step.args[0], kind), step.args[1]
    failure, own = _field(builder, task, 0), builder.shl(part, WORD(PLACE))
    with builder.if_then(builder.icmp_unsigned('<=', builder.load_atomic(failure, 'seq_cst', 8), own), likely=False):
        builder.ret_void()
    parts, iterations, *given = (builder.load(_field(builder, task, place)) for place in range(1, len(kind.pointee.elements)))
    low, end = (builder.sdiv(builder.mul(number, iterations), parts) for number in (part, builder.add(part, WORD(1))))
    status = _run(context, builder, compiled, signature, [part, low, builder.sub(end, low), *given])
    with builder.if_then(status.is_error, likely=False):
        raised = builder.or_(own, builder.ptrtoint(status.excinfoptr, WORD))
        builder.atomic_rmw('umin', failure, builder.select(status.is_python_exc, WORD(OVER), raised), 'seq_cst')
    builder.ret_void()
    return step
