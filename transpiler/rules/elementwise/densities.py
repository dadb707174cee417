"""Distributions of `scipy.stats`, which takes a second to import: these rules are entered when a program uses one."""
import numpy as np
import scipy.stats

from transpiler.rules.base.examples import case, integers
from transpiler.rules.base.registry import definition
from transpiler_kernels.definitions.mathematics import densities

ANYWHERE = case((5,)), case((3, 4), np.float64(0.3), np.float64(1.7)), case((), scale=np.float64(2.0))
POSITIVE = (0.6, 2.0)
WITHIN = (0.3, 0.7)


def density(name: str, *examples, **details) -> None:
    """The definition `distribution_method` of `scipy.stats.distribution.method`."""
    distribution, _, method = name.rpartition('.')
    primitive = getattr(getattr(scipy.stats, distribution), method)
    stand_in = getattr(densities, f'{distribution}_{method}')
    definition(primitive, name=f'scipy.stats.{name}', real_only=True, examples=examples, **details)(stand_in)


for method in ('logpdf', 'pdf', 'cdf', 'logcdf', 'sf', 'logsf'):
    density(f'norm.{method}', *ANYWHERE)
density('norm.ppf', case((5,)), case((3, 4), np.float64(0.3), np.float64(1.7)), domain=WITHIN)
for name in ('cauchy', 'laplace', 'logistic'):
    density(f'{name}.logpdf', *ANYWHERE)
density('t.logpdf', case((5,), 4.0), case((3, 4), np.float64(2.5), np.float64(0.3), np.float64(1.7)))
density('expon.logpdf', case((5,)), case((3, 4), np.float64(0.1), np.float64(1.7)), domain=POSITIVE)
density('uniform.logpdf', case((5,)), case((5,), np.float64(-0.5), np.float64(2.0)), domain=WITHIN)
density('lognorm.logpdf', case((5,), 0.7), case((3, 4), np.float64(0.7), np.float64(0.1), np.float64(1.7)), domain=POSITIVE)
density('gamma.logpdf', case((5,), 2.0), case((3, 4), np.float64(2.5), np.float64(0.1), np.float64(1.7)), domain=POSITIVE)
density('beta.logpdf', case((5,), 2.0, 3.0), case((3, 4), np.float64(2.5), np.float64(1.5)), domain=WITHIN)
density('poisson.logpmf', case(integers(5, high=6), (5,)), case(integers(3, high=6), ()), domain=POSITIVE)
density('bernoulli.logpmf', case(integers(5, high=2), (5,)), case(integers(3, high=2), ()), domain=WITHIN)
density('binom.logpmf', case(integers(5, high=6), 6, (5,)), case(integers(3, high=6), 5, ()), domain=WITHIN)
density('dirichlet.logpdf', case([0.2, 0.3, 0.5], (3,)), domain=POSITIVE)
COVARIANCE = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.0]])
density('multivariate_normal.logpdf', case((3,), (3,), COVARIANCE), case((4, 3), (3,), COVARIANCE),
        allowed={'allow_singular': (False,)})
