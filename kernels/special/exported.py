"""Whatever function of one to three doubles `scipy.special.cython_special` exports, as a ufunc made when it is asked for.

>>> from transpiler_kernels.special import exported
>>> round(float(exported.gammaln(3.0)), 6)
0.693147

A function is called by a symbol, not at its address, so that what Numba keeps on disk holds in the next process too.
"""
import scipy.special.cython_special
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from transpiler_kernels.machine.symbols import in_capsule, known_as
from transpiler_kernels.special.compiled import ONE, THREE, TWO, elementwise

_exported = scipy.special.cython_special.__pyx_capi__


def __getattr__(name: str):
    for count, ufunc in ((1, of_one), (2, of_two), (3, of_three)):
        if is_exported(name, count):
            return globals().setdefault(name, ufunc(name))
    raise AttributeError(f'scipy.special.cython_special exports no {name} of one to three doubles')


def is_exported(name: str, count: int) -> bool:
    """Whether there is a version of a function for so many doubles, which compiled code knows by its name from then on.

    >>> is_exported('psi', 1), is_exported('psi', 2)
    (True, False)
    """
    wanted = f'double ({"double, " * count}int __pyx_skip_dispatch)'.encode()
    for capsule in (_exported.get(version + name) for version in ('', '__pyx_fuse_0', '__pyx_fuse_1')):
        if capsule is not None and in_capsule(capsule)[0] == wanted:
            known_as(f'scipy_{name}', in_capsule(capsule)[1])
            return True
    return False


@intrinsic(prefer_literal=True)
def call(context, name, *numbers):
    """A function by its name: of what a closure holds, Numba's key of what it keeps takes strings, but no functions."""
    def code(context, builder, signature, args):
        doubles = [context.cast(builder, a, t, types.float64)
                   for a, t in zip(cgutils.unpack_tuple(builder, args[1]), signature.args[1], strict=True)]
        double, last = ir.DoubleType(), ir.IntType(32)  # the last argument, which Cython adds, is 0
        type_ = ir.FunctionType(double, [double] * len(doubles) + [last])
        function = cgutils.get_or_insert_function(builder.module, type_, f'scipy_{name.literal_value}')
        return builder.call(function, [*doubles, last(0)])
    return types.float64(name, types.StarArgTuple.from_types(numbers)), code


def of_one(name):
    @elementwise(ONE)
    def function(x):
        return call(name, x)
    return function


def of_two(name):
    @elementwise(TWO)
    def function(x, y):
        return call(name, x, y)
    return function


def of_three(name):
    @elementwise(THREE)
    def function(x, y, z):
        return call(name, x, y, z)
    return function
