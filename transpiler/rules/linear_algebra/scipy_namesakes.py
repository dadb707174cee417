"""Functions of `scipy.linalg` that `numpy.linalg` has too, with other arguments."""
import scipy.linalg

from transpiler.rules.base.examples import case, definite, regular
from transpiler.rules.base.registry import definition
from transpiler.rules.linear_algebra.factorizations import NAME
from transpiler_kernels.definitions import matrices

UNCHANGED = {'overwrite_a': (False,), 'overwrite_b': (False,), 'check_finite': (True, False)}
WHOLE = {'b': (None,), 'subset_by_index': (None,), 'subset_by_value': (None,), 'driver': (None,), 'type': (1,)}

for name, examples, allowed in (
    ('solve', (case(regular(3), (3,)), case(regular(3), (3, 2), transposed=True)), {'assume_a': (None, 'gen')}),
    ('inv', (case(regular(3)),), {}),
    ('det', (case(regular(3)),), {}),
    ('norm', (case((3, 4)), case((3,), 1), case((3, 4), axis=1)), {}),
    ('pinv', (case((4, 3)),), {'atol': (None,), 'rtol': (None,), 'return_rank': (False,)}),
    ('eigh', (case(definite(3), eigvals_only=True), case(definite(3), lower=False, eigvals_only=True)),
     {**WHOLE, 'eigvals_only': (True,)}),
    ('eigvalsh', (case(definite(3)), case(definite(3), lower=False)), WHOLE),
    ('svd', (case((4, 3), full_matrices=False), case((3, 4), compute_uv=False)), {'lapack_driver': ('gesdd',)}),
    ('svdvals', (case((4, 3)),), {}),
    ('qr', (case((4, 3), mode='economic'), case(regular(3))),
     {'lwork': (None,), 'mode': ('full', 'economic'), 'pivoting': (False,)}),
):
    real_only = name in ('pinv', 'eigh', 'eigvalsh', 'svd', 'svdvals', 'qr')
    definition(getattr(scipy.linalg, name), name=NAME + name, allowed={**UNCHANGED, **allowed}, real_only=real_only,
               examples=examples)(getattr(matrices, name))
