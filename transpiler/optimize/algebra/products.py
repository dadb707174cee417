"""Products in one form: a sign, a constant, numbers, arrays. `2.0 / n * x`, not `x * (1.0 / n) * 2.0`."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import gast
import numpy as np

from transpiler.core.build import binary, constant, unary
from transpiler.core.build import name as name_node

KINDS = {'numpy.float64': np.float64, 'numpy.float32': np.float32}

Holder = Callable[[gast.expr], 'str | None']


def is_product(node: gast.expr) -> bool:
    """A product or quotient, or the negative of one."""
    match node:
        case gast.BinOp(op=gast.Mult() | gast.Div()):
            return True
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return is_product(operand)
    return False


@dataclass
class Product:
    """`sign * constant * factors`, each factor multiplied or divided by, from left to right.

    A factor is (operator, node, whether it stands among numbers only). A divisor that divided an array, or a number of
    NumPy's, goes on dividing it: a number of Python's divided by a zero raises, NumPy's do not.
    """

    negative: bool = False
    constant: float | int = 1
    kind: type[np.inexact] | None = None    # of NumPy's numbers, if its constant was one, so that its divisions raise nothing
    factors: list[tuple[type, gast.expr, bool]] = field(default_factory=list)

    def times(self, value: float | int) -> bool:
        """Take a constant in, if the product of the constants is an ordinary number."""
        merged = self.constant * value
        if not _ordinary(merged):
            return False
        self.negative ^= merged < 0
        self.constant = abs(merged)
        return True

    def divided_by(self, value: float | int) -> bool:
        """Take a divisor in, if the constant can be divided by it without rounding."""
        quotient = self.constant / value if _ordinary(value) else 0.5
        if not float(quotient).is_integer() or quotient * value != self.constant:
            return False
        self.constant = quotient
        return True


def _ordinary(value: object) -> bool:
    return isinstance(value, (int, float)) and type(value) in (int, float) and math.isfinite(value) and 1e-30 < abs(value) < 1e30


def decompose(node: gast.expr, is_number, product: Product | None = None) -> Product:
    """Take `node` apart; `is_number(node)` tells what is not an array."""
    product = product or Product()
    match node:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            product.negative ^= True
            decompose(operand, is_number, product)
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            decompose(left, is_number, product)
            decompose(right, is_number, product)
        case gast.BinOp(left=left, op=gast.Div(), right=right):
            decompose(left, is_number, product)
            negative, divisor = _without_sign(right)
            product.negative ^= negative
            if isinstance(divisor, gast.Constant) and product.divided_by(divisor.value):
                return product
            product.factors.append((gast.Div, divisor, is_number(left) and is_number(divisor) and not has_numpys(left)))
        case gast.Constant(value=value) if _ordinary(value) and product.times(value):
            pass
        case gast.Constant(value=np.floating() as value) if product.kind in (None, type(value)) and product.times(value.item()):
            product.kind = type(value)
        case _:
            product.factors.append((gast.Mult, node, is_number(node)))
    return product


def numpys_number(value: gast.expr | None) -> gast.Constant | None:
    """The constant that `np.float64(2.0)` gives: in products it counts as one."""
    match value:
        case gast.Call(func=gast.Name(id=kind), args=[number]) | gast.Call(
                func=gast.Name(id='numpy.astype'), args=[number, gast.Name(id=kind)], keywords=[]) if kind in KINDS:
            known = isinstance(number, gast.Constant) and type(number.value) in (int, float)
            return gast.Constant(value=KINDS[kind](number.value), kind=None) if known else None
    return None


def has_numpys(node: gast.expr) -> bool:
    """Whether a constant of a product is a number of NumPy's."""
    match node:
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div(), right=right):
            return has_numpys(left) or has_numpys(right)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return has_numpys(operand)
    return isinstance(node, gast.Constant) and isinstance(node.value, np.inexact)


def _without_sign(node: gast.expr) -> tuple[bool, gast.expr]:
    match node:
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return True, operand
        case gast.Constant(value=value) if type(value) in (int, float) and value < 0:
            return True, constant(-value)
    return False, node


def compose(product: Product, by_numpy: bool = False) -> gast.expr:
    """The expression of a product: the constant and the numbers first, then the arrays.

    by_numpy: the constant is a number of NumPy's

    >>> from transpiler.core.text import expression
    >>> from transpiler.source.writing.printing import Spelling
    >>> one_array = lambda node: not (isinstance(node, gast.Name) and node.id == 'x')
    >>> for text in ('x * (1.0 / n) * 2.0', '-(a * -b)', '-1.0 * x / n', 'x * 1.0', '1.0 / a * b'):
    ...     print(Spelling().expression(compose(decompose(expression(text), one_array))))
    2.0 / n * x
    a * b
    -x / n
    x
    b / a
    """
    ordered = [f for f in product.factors if f[2]] + [f for f in product.factors if not f[2]]
    multiplied = next((k for k, factor in enumerate(ordered) if factor[0] is gast.Mult), None)
    result: gast.expr | None = None
    if by_numpy:
        result = gast.Constant(value=product.kind(product.constant), kind=None)
    elif product.constant != 1 or multiplied is None:
        result = constant(product.constant)
    elif multiplied:
        # with a constant of one, a factor can stand in its place in front of the divisors
        ordered.insert(0, ordered.pop(multiplied))
    for operator, node, _ in ordered:
        result = node if result is None else binary(result, operator, node)
    return negate(result) if product.negative else result


def share_products(node: gast.expr, holder: Holder, is_number: Callable[[gast.expr], bool]) -> gast.expr:
    """The product with two of its factors replaced by a name that holds their product or quotient already, if there is one.

    >>> from transpiler.core.text import expression
    >>> from transpiler.source.writing.printing import Spelling
    >>> known = lambda node: 't' if Spelling().expression(node) == 'a / s' else None
    >>> Spelling().expression(share_products(expression('-a * p / s'), known, lambda node: False))
    '-t * p'
    """
    if not is_product(node):
        return node
    product = decompose(node, is_number)
    trivial = product.constant == 1 and not product.negative or len(product.factors) < 2
    if product.kind is not None or len(product.factors) < 3 and trivial:
        return node
    for one, (operator, first, _) in enumerate(product.factors):
        for two, (other, second, _) in enumerate(product.factors):
            if one == two or operator is not gast.Mult:
                continue
            name = holder(binary(first, other, second))
            if name is not None:
                rest = [f for k, f in enumerate(product.factors) if k not in (one, two)]
                shared = name_node(name)
                return compose(replace(product, factors=[(gast.Mult, shared, is_number(shared)), *rest]))
    return node


def negate(node: gast.expr) -> gast.expr:
    """The negative of a product: a constant at its very left takes the sign, else its leftmost factor does."""
    match node:
        case gast.Constant(value=value) if not isinstance(value, (bool, np.bool_)):
            return constant(-value)
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as operator, right=right):
            return gast.BinOp(left=negate(left), op=operator, right=right)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return operand
    return unary(gast.USub, node)
