"""Sums that may be taken in any order: in lanes, which are added up at the end, so that loops of them become vectors."""
from numba import types
from numba.extending import lower_builtin, type_callable


def plus(total, item):
    """`total + item`, in a loop that adds to `total` and looks at it nowhere else.

    >>> plus(1.0, 2.0)
    3.0
    """
    return total + item


@type_callable(plus)
def _type_of_plus(context):
    return lambda total, item: context.unify_types(total, item)


def _adding(add):
    """What writes the addition of two numbers of one type."""
    def code(context, builder, signature, args):
        kind = signature.return_type
        return add(context, builder, kind, *(context.cast(builder, v, t, kind) for v, t in zip(args, signature.args)))
    return code


def _free(builder, total, item):
    """One instruction, which alone of all may be moved: what is added has been rounded before."""
    return builder.fadd(total, item, flags=('reassoc',))


@lower_builtin(plus, types.Integer, types.Integer)
@lower_builtin(plus, types.Integer, types.Boolean)
@_adding
def _of_integers(context, builder, kind, total, item):
    return builder.add(total, item)


@lower_builtin(plus, types.Float, types.Float)
@lower_builtin(plus, types.Float, types.Integer)
@lower_builtin(plus, types.Float, types.Boolean)
@_adding
def _of_floats(context, builder, kind, total, item):
    return _free(builder, total, item)


@lower_builtin(plus, types.Complex, types.Number)
@lower_builtin(plus, types.Complex, types.Boolean)
@_adding
def _of_complex_numbers(context, builder, kind, total, item):
    total, item = (context.make_complex(builder, kind, value=value) for value in (total, item))
    total.real, total.imag = _free(builder, total.real, item.real), _free(builder, total.imag, item.imag)
    return total._getvalue()
