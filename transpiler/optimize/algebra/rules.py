"""Simpler expressions with the same value: rules on trees of arithmetic."""
from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import gast

from transpiler.core.build import binary, constant, like
from transpiler.optimize.algebra.products import Product, compose, decompose, is_product, negate
from transpiler.optimize.algebra.sums import gathered
from transpiler.optimize.rewriting.expression_types import alike, is_inexact, type_of
from transpiler.values.types import INT, Array, Scalar, Unknown

FOLDS = {gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul, gast.Div: operator.truediv,
         gast.Pow: operator.pow}


def simplify(node: gast.expr, types: Mapping[str, Any], free: bool, within: bool = False) -> gast.expr:
    """An expression with the same value; `free`: roundings may change; `within`: it is a part of a sum, whose terms are gathered.

    >>> from transpiler.core.text import expression
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import FLOAT
    >>> for text in ('a + -b', '-a + b', 'a - -b', '0.0 + a', 'a ** 1', '2 * 3 * a', '-(a - b)', 'a + b * -2.0', 'a - b + a'):
    ...     print(Spelling().expression(simplify(expression(text), dict(a=FLOAT, b=FLOAT), free=True)))
    a - b
    b - a
    a + b
    a
    a
    6 * a
    b - a
    a - 2.0 * b
    2 * a - b
    """
    if free and is_product(node):
        return _product(_map_factors(node, lambda factor: simplify(factor, types, free)), types, free)
    match node:
        case gast.BinOp(left=left, op=symbol, right=right):
            adds = isinstance(symbol, (gast.Add, gast.Sub))
            node = with_children(node, left=simplify(left, types, free, adds), right=simplify(right, types, free, adds))
            folded = _fold(node)
            if folded is not None:
                return folded
            if isinstance(symbol, (gast.Mult, gast.Div)):
                return _product(node, types, free)
            if adds:
                summed = _sum(node, types, free)
                return gather(summed, types) if free and not within else summed
            if isinstance(symbol, gast.Pow) and _is_constant(node.right, 1) and _keeps(node, node.left, types):
                return node if not free and _is_complex(node, types) else node.left
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            operand = simplify(operand, types, free)
            return _negative(operand, free) or with_children(node, operand=operand)
    return node


def with_children(node: gast.expr, **children: gast.expr) -> gast.expr:
    """The node with other operands, or itself if they are the same."""
    return node if all(getattr(node, field) is child for field, child in children.items()) else like(node, **children)


def _map_factors(node: gast.expr, change: Callable[[gast.expr], gast.expr]) -> gast.expr:
    """The product with its factors changed, so that the whole of it is brought into form at once."""
    match node:
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return with_children(node, left=_map_factors(left, change), right=_map_factors(right, change))
        case gast.BinOp(left=left, op=gast.Div(), right=right):
            return with_children(node, left=_map_factors(left, change), right=change(right))
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return with_children(node, operand=_map_factors(operand, change))
    return change(node)


def _fold(node: gast.BinOp) -> gast.expr | None:
    """Arithmetic on two Python numbers, unless it fails or leaves the ordinary range."""
    match node:
        case gast.BinOp(left=gast.Constant(value=a), op=symbol, right=gast.Constant(value=b)) \
                if type(a) in (int, float) and type(b) in (int, float) and type(symbol) in FOLDS:
            if isinstance(symbol, gast.Pow) and not (abs(a) < 1e6 and abs(b) <= 64):
                return None
            try:
                value = FOLDS[type(symbol)](a, b)
            except ArithmeticError:
                return None
            return constant(value) if type(value) in (int, float) and abs(value) < 1e300 else None
    return None


def _negative(operand: gast.expr, free: bool) -> gast.expr | None:
    """The simpler form of `-operand`, or None. Signs move through products exactly; `-(a - b)` may differ by the sign of 0."""
    match operand:
        case gast.Constant(value=value) if type(value) in (int, float):
            return constant(-value)
        case gast.UnaryOp(op=gast.USub(), operand=inner):
            return inner
        case gast.BinOp(left=left, op=gast.Sub(), right=right) if free:
            return binary(right, gast.Sub, left)
    return None


def _sum(node: gast.BinOp, types: Mapping[str, Any], free: bool) -> gast.expr:
    """`a + -b` is `a - b`; adding nothing is nothing, but that -0.0 becomes 0.0, and so only if `free` for floats."""
    left, symbol, right = node.left, node.op, node.right
    adds = isinstance(symbol, gast.Add)
    exact = free or _is_whole(type_of(node, types))
    real = not _is_complex(node, types)     # else the imaginary part of the constant is 0.0, in any case
    if _is_constant(right, 0) and (exact or adds is _is_minus(right) and (real or not adds)) and _keeps(node, left, types):
        return left
    if adds and _is_constant(left, 0) and (exact or _is_minus(left) and real) and _keeps(node, right, types):
        return right
    shifted = _shift(node, types)
    if shifted is not None:
        return shifted
    if any(_is_unsigned(type_of(side, types)) for side in (left, right)):  # NumPy refuses a negative constant beside it
        return node
    if _is_negative(right):
        return _sum(binary(left, gast.Sub if adds else gast.Add, negate(right)), types, free)
    if adds and _is_negative(left):
        return _sum(binary(right, gast.Sub, negate(left)), types, free)
    return node


def gather(node: gast.expr, types: Mapping[str, Any]) -> gast.expr:
    """Equal terms of a sum as one: `a + b + a` is `2 * a + b`."""
    if not _is_sum(node) or not _all_floats_in_sum(node, types):
        return node
    new = gathered(node, lambda part: _is_number(part, types))
    return new if new is not None and _same_kind(node, new, types) else node


def _is_sum(node: gast.expr) -> bool:
    return isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub))


def _all_floats_in_sum(node: gast.expr, types: Mapping[str, Any]) -> bool:
    if _is_sum(node):
        return _all_floats_in_sum(node.left, types) and _all_floats_in_sum(node.right, types)
    return _all_floats(node, types)


def _shift(node: gast.BinOp, types: Mapping[str, Any]) -> gast.expr | None:
    """`i - 1 - 1` as `i - 2`, for Python integers: exact."""
    match node:
        case gast.BinOp(left=gast.BinOp(left=base, right=gast.Constant(value=int(first)), op=inner), op=outer,
                        right=gast.Constant(value=int(second))) if isinstance(inner, (gast.Add, gast.Sub)):
            if not alike(type_of(base, types), INT):
                return None
            total = (first if isinstance(inner, gast.Add) else -first) + (second if isinstance(outer, gast.Add) else -second)
            return base if total == 0 else binary(base, gast.Add if total > 0 else gast.Sub, constant(abs(total)))
    return None


def _is_unsigned(type_: Any) -> bool:
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind == 'u'


def _is_negative(node: gast.expr) -> bool:
    """A product whose sign can be taken off exactly: a negated name, or a negative constant in front."""
    match node:
        case gast.UnaryOp(op=gast.USub()):
            return True
        case gast.Constant(value=value):
            return type(value) in (int, float) and value < 0
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
            return _is_negative(left)
    return False


def _product(node: gast.expr, types: Mapping[str, Any], free: bool) -> gast.expr:
    if not free:
        return _exact_product(node, types)
    if not _all_floats(node, types):
        return node
    product = decompose(node, lambda part: _is_number(part, types))
    new = compose(product)
    if product.kind is not None and not (_same_kind(node, new, types) and _divides_numpys(new, product, types)):
        if any(among and issubclass(operator, gast.Div) for operator, _, among in product.factors):
            return node     # numbers of Python's, which raise
        new = compose(product, by_numpy=True)
    return new if _same_kind(node, new, types) else node


def _divides_numpys(node: gast.expr, product: Product, types: Mapping[str, Any]) -> bool:
    """Whether what divided something of NumPy's does so in `node` as well."""
    kept = {divisor for operator, divisor, among in product.factors if issubclass(operator, gast.Div) and not among}
    while isinstance(node, gast.BinOp | gast.UnaryOp):
        if isinstance(node, gast.UnaryOp):
            node = node.operand
            continue
        type_ = type_of(node.left, types)
        if node.right in kept and isinstance(type_, Scalar) and type_.weak:
            return False
        node = node.left
    return True


def _exact_product(node: gast.expr, types: Mapping[str, Any]) -> gast.expr:
    """A product of which one factor is 1; of complex numbers that is 1 + 0j, which makes NaN of infinities, and 0 of -0."""
    complex_ = _is_complex(node, types)
    match node:
        case gast.BinOp(left=left, right=right) if not complex_ and _is_constant(right, 1) and _keeps(node, left, types):
            return left
        case gast.BinOp(left=left, op=gast.Mult(), right=right) if (
                not complex_ and _is_constant(left, 1) and _keeps(node, right, types)):
            return right
        case gast.BinOp(left=gast.Constant(value=int(0)), op=gast.Mult(), right=right) if _is_index(right, types):
            return constant(0)
        case gast.BinOp(left=gast.UnaryOp(op=gast.USub(), operand=a), op=symbol, right=gast.UnaryOp(op=gast.USub(), operand=b)):
            return gast.BinOp(left=a, op=symbol, right=b) if is_inexact(type_of(node, types)) else node
    return node


def _is_complex(node: gast.expr, types: Mapping[str, Any]) -> bool:
    type_ = type_of(node, types)
    return isinstance(type_, (Scalar, Array)) and type_.dtype is not None and type_.dtype.kind == 'c'


def _is_index(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """A Python integer."""
    match type_of(node, types):
        case Scalar(dtype, weak=True):
            return dtype.kind == 'i'
    return False


def _is_constant(node: gast.expr, value: int) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) in (int, float) and node.value == value


def _is_whole(type_: Any) -> bool:
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind in 'iub'


def _is_minus(zero: gast.Constant) -> bool:
    return math.copysign(1.0, zero.value) < 0


def _keeps(whole: gast.expr, part: gast.expr, types: Mapping[str, Any]) -> bool:
    """`part` alone has the type of `whole`."""
    return alike(type_of(whole, types), type_of(part, types))


def _is_number(node: gast.expr, types: Mapping[str, Any]) -> bool:
    return isinstance(type_of(node, types), Scalar)


def _same_kind(old: gast.expr, new: gast.expr, types: Mapping[str, Any]) -> bool:
    """The same type, as far as types are known."""
    a, b = type_of(old, types), type_of(new, types)
    return alike(a, b) or isinstance(a, Unknown) and isinstance(b, Unknown) or a == b


def _all_floats(node: gast.expr, types: Mapping[str, Any]) -> bool:
    """Every factor is a float, a Python number or of unknown type: then the dtype does not depend on the order."""
    match node:
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div(), right=right):
            return _all_floats(left, types) and _all_floats(right, types)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _all_floats(operand, types)
    type_ = type_of(node, types)
    if isinstance(type_, (Scalar, Array)):
        return type_.dtype.kind in 'fc' or isinstance(type_, Scalar) and type_.dtype.kind == 'i' and type_.dtype.itemsize == 8
    return isinstance(type_, Unknown)
