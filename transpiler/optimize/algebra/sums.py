"""Sums whose equal terms are one term: `a + a` is `2 * a`."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast

from transpiler.core.build import binary
from transpiler.core.text import dump
from transpiler.optimize.algebra.products import Product, compose, decompose


def gathered(node: gast.expr, is_number: Callable[[gast.expr], bool]) -> gast.expr | None:
    """The sum with terms that differ by a constant factor added up, or None if there are none such.

    Terms that cancel stay: where they are infinite or no number, so is the sum.

    >>> from transpiler.core.text import expression
    >>> from transpiler.source.writing.printing import Spelling
    >>> for text in ('a + a', 'b - 2.0 * a * c - c * a', 'a * b + a', 'a - a'):
    ...     new = gathered(expression(text), lambda node: True)
    ...     print(new and Spelling().expression(new))
    2 * a
    b - 3.0 * a * c
    None
    None
    """
    found: dict[str, Product] = {}
    count = 0
    for negative, term in _terms(node):
        product = decompose(term, is_number)
        signed = product.constant * (-1 if product.negative ^ negative else 1)
        key = _key(product)
        count += 1
        if key not in found:
            found[key] = replace(product, negative=signed < 0)
            continue
        before = found[key]
        total = signed + before.constant * (-1 if before.negative else 1)
        if total == 0:
            return None
        found[key] = replace(before, negative=total < 0, constant=abs(total))
    return _summed(list(found.values())) if len(found) < count else None


def _terms(node: gast.expr, negative: bool = False) -> list[tuple[bool, gast.expr]]:
    match node:
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as symbol, right=right):
            return [*_terms(left, negative), *_terms(right, negative ^ isinstance(symbol, gast.Sub))]
    return [(negative, node)]


def _key(product: Product) -> str:
    """Equal for products of the same factors, in whatever order."""
    return ' '.join(sorted(f'{operator.__name__} {dump(factor)}' for operator, factor, _ in product.factors))


def _summed(products: list[Product]) -> gast.expr:
    """The sum of the products, one without a sign first if there is one."""
    first = next((p for p in products if not p.negative), products[0])
    result = compose(first)
    for product in products:
        if product is not first:
            plain = compose(replace(product, negative=False))
            result = binary(result, gast.Sub if product.negative else gast.Add, plain)
    return result
