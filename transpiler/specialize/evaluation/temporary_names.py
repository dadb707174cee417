"""What a temporary is called, should it survive."""

from __future__ import annotations

from collections.abc import Iterable

from transpiler.specialize.domain.operators import BINARY, COMPARE, UNARY

OPERATORS = {*BINARY.values(), *UNARY.values(), *COMPARE.values()}
SHORT = {
    'add': 'total',
    'subtract': 'difference',
    'multiply': 'product',
    'true_divide': 'ratio',
    'negative': 'minus',
    'matmul': 'product',
    'less': 'below',
    'less_equal': 'below',
    'greater': 'above',
    'greater_equal': 'above',
    'equal': 'same',
    'not_equal': 'differs',
}


def temporary_name(primitive: str, operands: Iterable[str]) -> str:
    """A name for the result of `primitive`, from what its variable operands are called.

    >>> temporary_name('numpy.exp', ['x']), temporary_name('numpy.add', ['x', 'y']), temporary_name('numpy.sum', ['long_name'])
    ('exp_x', 'total', 'sum_')
    """
    short = primitive.rsplit('.', 1)[-1]
    first = next(iter(operands), '_')
    if primitive not in OPERATORS and len(first) < 8 and '_' not in first:
        return f'{short}_{first}'
    return SHORT.get(short, f'{short}_')
