"""Functions that are written in the language itself (`kernels/definitions/`)."""
import math

import numpy as np

from transpiler.rules.arrays.reductions import AXES, NO_OUT, PLAIN
from transpiler.rules.base.examples import UNARY, case, flags, integers, regular
from transpiler.rules.base.registry import definition
from transpiler_kernels.definitions import products
from transpiler_kernels.definitions.arrays import joining, picking, shapes
from transpiler_kernels.definitions.mathematics import scalar_math, values
from transpiler_kernels.definitions.samples import histograms, sequences, statistics

SPREAD = (*AXES, case((3, 4), axis=1, ddof=1))


def define(primitive, function, *examples, **details):
    definition(primitive, examples=examples, **details)(function)


define(np.ndim, shapes.ndim, *UNARY)
define(np.shape, shapes.shape, *UNARY)
define(np.size, shapes.size, *UNARY, case((3, 4), axis=1))
define(np.ndarray.flatten, shapes.flatten, case((3, 4)), case((3, 4), order='F'), name='numpy.ndarray.flatten')

define(np.clip, values.clip, case((3, 4), -0.5, 0.5), case((3, 4), None, 0.3), case((3,), (3,), None), case((3,), min=-1.0),
       case((2, 3), (3,), 0.9), allowed=NO_OUT, real_only=True)
define(np.select, values.select, case([flags(3), flags(3)], [(3,), (3,)]), case([flags(2, 3)], [(3,)], 0.5),
       sequences=('condlist', 'choicelist'))
define(np.piecewise, values.piecewise, case((4,), [flags(4)], [2.0, 3.0]), sequences=('condlist', 'funclist'), real_only=True)
define(np.divmod, values.divmod, case((3,), (3,)), domain=(0.5, 2.0), real_only=True)
define(np.modf, values.modf, case((3,)), domain=(0.1, 0.9), real_only=True)
define(np.choose, values.choose, case(integers(4, high=3), [(4,), (4,), (4,)]), case(integers(3, high=2), (2, 3)),
       sequences=('choices',), allowed={'out': (None,), 'mode': ('raise',)})
define(np.digitize, values.digitize, case((5,), np.array([-1.0, 0.0, 1.0])), case((5,), np.array([1.0, 0.0, -1.0]), right=True))
define(np.block, shapes.block, case([[(2, 3), (2, 1)], [(1, 3), (1, 1)]]), case([(3,), (2,)]), case([[(3,)], [(2, 3)]]),
       case((3,)), sequences=('arrays',), nested=True)
define(np.isin, values.isin, case(integers(5, high=4), integers(2, high=4)), case(integers(2, 3, high=4), 2),
       case((3,), (2, 2), invert=True), allowed={'kind': (None,)})
define(np.sinc, values.sinc, *UNARY)
define(np.angle, values.angle, case((3,)), domain=(0.5, 2.0))

define(np.var, statistics.var, *SPREAD, allowed=PLAIN)
define(np.std, statistics.std, *SPREAD, allowed=PLAIN)
define(np.ptp, statistics.ptp, *AXES, allowed=NO_OUT, real_only=True)
define(np.average, statistics.average, case((3, 4)), case((3, 4), axis=0), case((3, 4), axis=1, weights=np.arange(1.0, 5.0)),
       case((3, 4), weights=np.linspace(0.5, 1.5, 12).reshape(3, 4)), allowed={'returned': (False,)})
define(np.median, statistics.median, case((5,)), case((4,)), case((3, 4)), case((3, 4), axis=0), case((3, 4), axis=-1),
       case((2, 3, 4), axis=(0, 2), keepdims=True), allowed={'out': (None,), 'overwrite_input': (False,)}, real_only=True)
QUANTILES = {'out': (None,), 'overwrite_input': (False,), 'method': ('linear',), 'weights': (None,)}
define(np.quantile, statistics.quantile, case((7,), 0.3), case((3, 4), 0.5, axis=0), case((3, 4), 1.0, axis=-1, keepdims=True),
       case((3, 4), 0.0, keepdims=True), case((3, 4), np.array([0.25, 0.5]), axis=1), case((2, 3, 4), 0.4, axis=(0, 1)),
       allowed=QUANTILES, real_only=True)
define(np.nanmedian, statistics.nanmedian, case((5,)), case((3, 4), axis=0), allowed=QUANTILES, real_only=True)
define(np.nanquantile, statistics.nanquantile, case((7,), 0.3), case((3, 4), 0.5, axis=0), allowed=QUANTILES, real_only=True)
define(np.nanpercentile, statistics.nanpercentile, case((3, 4), 30.0, axis=1, keepdims=True), allowed=QUANTILES, real_only=True)
define(np.percentile, statistics.percentile, case((7,), 30), case((3, 4), 50.0, axis=1), allowed=QUANTILES, real_only=True)
PLAIN_COVARIANCE = {'fweights': (None,), 'aweights': (None,), 'dtype': (None,)}
define(np.cov, statistics.cov, case((3, 5)), case((5,)), case((5, 3), rowvar=False), case((3, 5), bias=True),
       case((3, 5), ddof=0), case((3, 5), (2, 5)), case((5,), (5,)), case((5, 3), (5, 2), False),
       allowed=PLAIN_COVARIANCE)
define(np.corrcoef, statistics.corrcoef, case((3, 5)), case((5, 3), rowvar=False), case((5,), (5,)),
       allowed=PLAIN_COVARIANCE, real_only=True)
for function, stand_in in ((np.nansum, statistics.nansum), (np.nanprod, statistics.nanprod), (np.nanmean, statistics.nanmean)):
    define(function, stand_in, *AXES, allowed=PLAIN)
define(np.nancumsum, statistics.nancumsum, case((5,)), case((3, 4), axis=1), allowed=PLAIN)
define(np.nanvar, statistics.nanvar, *SPREAD, allowed=PLAIN, real_only=True)
define(np.nanstd, statistics.nanstd, *SPREAD, allowed=PLAIN, real_only=True)
define(np.nanmax, statistics.nanmax, *AXES, allowed=NO_OUT, real_only=True)
define(np.nanmin, statistics.nanmin, *AXES, allowed=NO_OUT, real_only=True)

define(np.diag, shapes.diag, case((3,)), case((3,), k=1), case((3,), k=-2), case((3, 3)), case((3, 4), k=1),
       case((4, 3), k=-1))
define(np.diff, sequences.diff, case((5,)), case((3, 4)), case((3, 4), n=2), case((3, 4), axis=0), case((3, 4), n=0),
       case((5,), prepend=0.5), case((3, 4), axis=0, append=0.25))
define(np.unwrap, sequences.unwrap, case((5,)), case((3, 4)), case((3, 4), axis=0, period=1.0), case((5,), 1.5, period=2.0),
       real_only=True)
define(np.ediff1d, sequences.ediff1d, case((5,)), case((2, 3)))
define(np.trapezoid, sequences.trapezoid, case((5,)), case((3, 4), dx=0.5), case((3, 4), axis=0),
       case((5,), np.arange(5.0) ** 2),
       case((3, 4), np.arange(4.0)), case((2, 3), np.arange(6.0).reshape(2, 3)))
define(np.interp, sequences.interp, case((3,), np.arange(-0.5, 0.75, 0.25), (5,), left=0.5, right=-1.0),
       case((3,), np.arange(-2.0, 3.0), (5,)), case((), np.arange(-2.0, 3.0), (5,)))
define(np.bincount, sequences.bincount, case(integers(6, high=4)), case(integers(6, high=4), (6,)),
       case(integers(3, high=2), (3,), minlength=5), real_only=True)
define(np.histogram_bin_edges, histograms.histogram_bin_edges, case((5,)), case((5,), 4, range=(-1.0, 2.0)), case((2, 3), bins=3),
       case((3,), np.array([-1.0, 0.0, 0.5])), allowed={'weights': (None,)}, real_only=True)
define(np.histogram, histograms.histogram, case((7,)), case((7,), 3, range=(-1.0, 1.0)), case((2, 3), bins=3),
       case((7,), bins=4, weights=np.linspace(0.5, 2.0, 7)), case((5,), 4, range=(-2.0, 2.0), density=True),
       case((6,), np.array([-1.0, 0.0, 0.5])), real_only=True)
define(np.polyval, sequences.polyval, case((3,), (4,)), case((1,), (4,)), case((4,), ()))
define(np.vander, sequences.vander, case((3,)), case((3,), 3), case((3,), 4, increasing=True), case((3,), 1))
define(np.logspace, sequences.logspace, case((), (), num=3), case((), (), num=4, endpoint=False, base=2.0))
define(np.geomspace, sequences.geomspace, case((), (), num=3), case((), (), num=4, endpoint=False), domain=(0.5, 2.0))
define(np.gradient, sequences.gradient, case((5,)), case((3, 4), axis=0), case((3, 4), 0.5, axis=1), case((3, 4)),
       case((3, 4), 0.5, 2.0), case((5,), np.array([0.0, 0.5, 1.5, 2.0, 4.0])), case((4, 3), axis=(1, 0)),
       case((5,), edge_order=2), case((4, 3), np.array([0.0, 0.5, 1.5, 2.0]), axis=0, edge_order=2))
define(np.convolve, sequences.convolve, case((5,), (3,)), case((2,), (4,)), case((5,), (3,), mode='valid'),
       case((5,), (2,), mode='same'))
define(np.correlate, sequences.correlate, case((5,), (3,)), case((5,), (2,), mode='same'), case((3,), (4,), mode='full'))
define(np.poly, sequences.poly, case((3,)), case((1,)), real_only=True)

define(np.dstack, shapes.dstack, case([(2, 3), (2, 3)]), case([(3,), (3,)]), case([(2, 3, 1), (2, 3, 2)]),
       sequences=('tup',))
define(np.column_stack, shapes.column_stack, case([(3,), (3, 2)]), case([(3,), (3,)]), sequences=('tup',))
define(np.append, shapes.append, case((2, 3), (4,)), case((2, 3), (2, 3), axis=0))
PARTS = ('indices_or_sections',)
define(np.split, joining.split, case((6,), 3), case((2, 6), 2, axis=1), case((6,), [2, 3]), sequences=PARTS)
define(np.vsplit, joining.vsplit, case((4, 3), 2), sequences=PARTS)
define(np.hsplit, joining.hsplit, case((3, 4), 2), case((4,), 2), sequences=PARTS)
define(np.dsplit, joining.dsplit, case((2, 3, 4), 2), sequences=PARTS)
define(np.array_split, joining.array_split, case((7,), 3), case((2, 6), 2, axis=1), case((6,), [2, 3]), sequences=PARTS)
define(np.broadcast_arrays, joining.broadcast_arrays, case((2, 3), (3,)), case((2, 1), (3,), ()))
define(np.rollaxis, shapes.rollaxis, case((2, 3, 4), 2), case((2, 3, 4), 0, 2), case((2, 3, 4), -1, 1))
define(np.delete, shapes.delete, case((5,), 1), case((3, 4), -1, axis=1), case((2, 3), 4))
define(np.insert, shapes.insert, case((5,), 1, 5.0), case((3, 2), -2, (2,)), allowed={'axis': (None,)})
define(np.resize, shapes.resize, case((3, 4), new_shape=(2, 3)), case((2,), new_shape=(2, 3)), case((3,), 5),
       sequences=('new_shape',))

define(np.meshgrid, shapes.meshgrid, case((2,), (3,)), case((2,), (3,), indexing='ij'), case((2,), (3,), (4,)),
       allowed={'copy': (True,), 'sparse': (False, True)})

define(np.nonzero, picking.nonzero, case(flags(5)), case(flags(2, 3)))
define(np.argwhere, picking.argwhere, case(flags(5)), case(flags(2, 3)))
define(np.extract, picking.extract, case(flags(5), (5,)), case(flags(2, 3), (2, 3)))
ALONG = np.array([[0, 2, 2, 1], [1, 0, 2, 0]])
define(np.take_along_axis, picking.take_along_axis, case((3, 4), ALONG, axis=0), case((4,), np.array([0, 2, 2]), axis=0),
       case((2, 4), ALONG, axis=1), case((3, 4), np.array([0, 2, 2]), axis=None), case((3, 4), ALONG[:1, :2], axis=1))
define(np.compress, picking.compress, case(flags(3), (3, 4), axis=0), case(flags(4), (3, 4), axis=1), case(flags(4), (4,)),
       allowed=NO_OUT)

define(np.cross, products.cross, case((3,), (3,)), case((4, 3), (4, 3)))
define(np.linalg.cross, products.cross_in_space, case((3,), (3,)), case((4, 3), (3,)), case((3, 4), (3, 4), axis=0))
define(np.kron, products.kron, case((2,), (3,)), case((2, 3), (3, 2)), case((2, 3), (2,)), case((2,), (2, 1, 3)))
define(np.vecdot, products.vecdot, case((3,), (3,)), case((2, 3), (3,)), aliases=(np.linalg.vecdot,))
define(np.linalg.norm, products.norm, *AXES[:-1], case((5,), ord=1), case((5,), ord=np.inf), case((5,), ord=3),
       case((3, 4), axis=1, ord=2),
       case((3, 4), ord=1), case((3, 4), ord=np.inf), case((3, 4), ord='fro'), case((3, 4), ord=2), case((3, 4), ord=-2),
       case((3, 4), ord='nuc'), case((5,), ord=-np.inf), case((5,), ord=-2), case((3, 4), ord=-1),
       case((3, 4), ord=-np.inf, keepdims=True), case((2, 3, 4), ord=1, axis=(0, 2)),
       case((2, 3, 4), ord=2, axis=(1, 2), keepdims=True))
define(np.linalg.trace, products.matrix_trace, case((3, 4)), case((2, 3, 3), offset=1), allowed={'dtype': (None,)})
define(np.linalg.diagonal, products.matrix_diagonal, case((2, 3, 3), offset=1))
define(np.linalg.matrix_norm, products.norm_of_matrices, case((3, 4)), case((2, 3, 4), ord=1, keepdims=True))
define(np.linalg.vector_norm, products.norm_of_vectors, case((3, 4)), case((3, 4), axis=1), case((5,), ord=1))
define(np.linalg.svdvals, products.svdvals, case((4, 3)), real_only=True)
define(np.linalg.cond, products.cond, case(regular(3)), case(regular(3), p=1), case(regular(2, 3)), case(regular(3), -2),
       real_only=True)
define(np.linalg.matrix_rank, products.matrix_rank, case(regular(3)), case((2, 3, 4)), case((3, 3), tol=0.5), real_only=True,
       allowed={'hermitian': (False,)})
define(np.linalg.tensorsolve, products.tensorsolve, case(regular(3), (3,)), case((2, 3, 6), (2, 3)), allowed={'axes': (None,)})
define(np.linalg.lstsq, products.lstsq, case((4, 3), (4,)), case((5, 2), (5, 2)), case((2, 4), (2,)), case((4, 3), (4,), 0.1),
       real_only=True)
POINTS = np.array([0.0, 0.5, 1.0, 2.0, 2.5])
define(np.polyfit, products.polyfit, case(POINTS, (5,), 2), case(POINTS, (5, 2), 1), case(POINTS, (5,), 1, w=POINTS + 1.0),
       allowed={'full': (False,), 'cov': (False,), 'rcond': (None,)}, real_only=True)
define(np.linalg.matrix_power, products.matrix_power, case((3, 3), 3), case((3, 3), 1), case((3, 3), 0))
define(np.linalg.multi_dot, products.multi_dot, case([(2, 3), (3, 4), (4,)]), case([(2, 3), (3, 2)]), sequences=('arrays',))

UNIT = ('asin', 'acos', 'atanh')
OF_TWO = ('atan2', 'hypot', 'pow', 'copysign', 'fmod', 'remainder', 'nextafter')
POSITIVE = ('log', 'log2', 'log10', 'sqrt', 'cbrt', 'atan2', 'hypot', 'pow', 'floor', 'ceil', 'trunc', 'remainder',
            'modf', 'frexp', 'ulp')
for function_name in sorted(name for name in vars(scalar_math) if hasattr(math, name)):
    if callable(getattr(math, function_name)):
        definition(getattr(math, function_name), real_only=True,
                   examples=(case((), 2) if function_name == 'ldexp' else case((), ()) if function_name in OF_TWO else case(()),),
                   domain=(-0.8, 0.8) if function_name in UNIT else (1.1, 1.9) if function_name == 'acosh' else
                   (0.5, 2.0) if function_name in POSITIVE else (-1.0, 1.0))(getattr(scalar_math, function_name))
