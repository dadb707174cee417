"""A loop in parts, for compiled code: how many, and the call of the function that runs one of them."""
from __future__ import annotations

from weakref import WeakKeyDictionary

from llvmlite import ir
from numba import types
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
from transpiler_kernels.threads.tasks import NONE, Task

NUMBER = types.int64
_pool = address_of(NAME)
PARTS = 4  # of each thread, so that one that is held up leaves more to the others
PLACE = 48  # bits of an address; those above say in which part an exception was raised


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


def in_parts(function, parts, iterations, *arguments):
    """Call `function(part, low, count, *arguments)` for every part, of `count` iterations from `low` on; several may run at once.

    What the function writes must be no part of the memory of two of the arguments: half the machine code is what would ask that.
    If several raise an exception, that of the first part comes out; parts after one that has are not begun any more. A signal
    that the caller handles ends all of them.

    >>> def show(part, low, count, name):
    ...     print(name, part, low, count)
    >>> in_parts(show, 2, 5, 'x')
    x 0 0 2
    x 1 2 3
    """
    for part in range(parts):
        low = part * iterations // parts
        function(part, low, (part + 1) * iterations // parts - low, *arguments)


def in_parts_sharing(function, parts, iterations, *arguments):
    """As `in_parts`, but arguments may share memory that the function writes."""
    in_parts(function, parts, iterations, *arguments)


@infer_global(in_parts)
@infer_global(in_parts_sharing)
class _InParts(AbstractTemplate):
    """The type of `in_parts`: said by hand, since an overload would take the function for a value that no cache can hold."""

    def generic(self, args, kws):
        function, _, _, *arguments = args
        return signature(types.none, function, NUMBER, NUMBER, *map(types.unliteral, arguments))


@lower_builtin(in_parts, types.Dispatcher, types.Integer, types.Integer, types.VarArg(types.Any))
def _compiled_in_parts(context, builder, outer, args, apart=True):
    """Put what the parts need into a task; run it here if it is one part, and let the pool run it otherwise."""
    function, _, _, *kinds = outer.args
    _, parts, iterations, *given = args
    compiled = _compiled(context, function.dispatcher, signature(types.none, NUMBER, NUMBER, NUMBER, *kinds), apart)
    task = Task(context, kinds)
    memory = task.packed(builder, parts, iterations, given)
    step = _step(context, builder.module, compiled, task)
    address = builder.ptrtoint(memory, WORD)
    with builder.if_else(builder.icmp_signed('==', parts, WORD(1))) as (alone, together):
        with alone:
            builder.call(step, [address, WORD(0)])
        with together:
            pool_address, step_address = (builder.ptrtoint(pointer, WORD) for pointer in (in_memory(builder.module, NAME), step))
            builder.call(declared(builder.module, pool.run), [pool_address, step_address, address, parts])
    failure = builder.load(task.failure(builder, memory))
    with builder.if_then(builder.icmp_signed('!=', failure, WORD(NONE)), likely=False):
        pointer = builder.and_(failure, WORD(2 ** PLACE - 1))
        code = builder.select(builder.icmp_signed('==', failure, WORD(OVER)), RETCODE_EXC, RETCODE_USEREXC)
        raised = {'code': code, 'excinfoptr': builder.inttoptr(pointer, excinfo_ptr_t)}
        context.call_conv.return_status_propagate(builder, Status(**dict.fromkeys(Status._fields) | raised))
    return context.get_dummy_value()


@lower_builtin(in_parts_sharing, types.Dispatcher, types.Integer, types.Integer, types.VarArg(types.Any))
def _compiled_in_parts_sharing(context, builder, outer, args):
    return _compiled_in_parts(context, builder, outer, args, apart=False)


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


def _step(context, module, compiled, task):
    """A function that runs one part of the task at an address."""
    step = ir.Function(module, ir.FunctionType(ir.VoidType(), [WORD, WORD]), module.get_unique_name('in_parts.step'))
    step.linkage = 'internal'
    step.attributes.add('noinline')
    builder = ir.IRBuilder(step.append_basic_block())
    memory, part = builder.inttoptr(step.args[0], task.kind.as_pointer()), step.args[1]
    failure, own = task.failure(builder, memory), builder.shl(part, WORD(PLACE))
    with builder.if_then(builder.icmp_unsigned('<=', builder.load_atomic(failure, 'seq_cst', 8), own), likely=False):
        builder.ret_void()
    parts, iterations, given = task.unpacked(builder, memory)
    low, end = _share(builder, part, parts, iterations)
    inner = [NUMBER] * 3 + task.kinds
    status, _ = context.call_conv.call_function(
        builder, context.declare_function(module, compiled), types.none, inner, [part, low, builder.sub(end, low), *given],
        attrs=('noinline',))    # it is big, and stands in the machine code once
    with builder.if_then(status.is_error, likely=False):
        raised = builder.or_(own, builder.ptrtoint(status.excinfoptr, WORD))
        builder.atomic_rmw('umin', failure, builder.select(status.is_python_exc, WORD(OVER), raised), 'seq_cst')
    builder.ret_void()
    return step


def _share(builder, part, parts, iterations):
    """From which iteration on a part runs, and before which it ends; without a division if there is but one."""
    before = builder.block
    with builder.if_then(builder.icmp_signed('!=', parts, WORD(1))):
        shares = [builder.sdiv(builder.mul(number, iterations), parts) for number in (part, builder.add(part, WORD(1)))]
        several = builder.block
    ends = []
    for share, whole in zip(shares, (WORD(0), iterations), strict=True):
        ends.append(builder.phi(WORD))
        ends[-1].add_incoming(whole, before)
        ends[-1].add_incoming(share, several)
    return ends
