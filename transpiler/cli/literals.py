"""The data that may stand in `--args`: literals, arrays and random numbers of NumPy, arithmetic. Nothing else is run."""
from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

BUILTINS: dict[str, Callable] = {
    f.__name__: f for f in (abs, bool, complex, dict, float, int, len, list, max, min, range, round, sum, tuple)}
CONSTANTS = {'pi', 'e', 'euler_gamma', 'inf', 'nan', 'newaxis'}
MAKERS = {'arange', 'array', 'asarray', 'concatenate', 'diag', 'dtype', 'empty', 'eye', 'full', 'full_like',
          'geomspace', 'hstack', 'identity', 'linspace', 'logspace', 'mean', 'ones', 'ones_like', 'outer', 'prod',
          'repeat', 'reshape', 'stack', 'sum', 'tile', 'transpose', 'tri', 'tril', 'triu', 'vander', 'vstack',
          'where', 'zeros', 'zeros_like'}
OF_ARRAYS = {'T', 'astype', 'conj', 'copy', 'dtype', 'flatten', 'imag', 'item', 'mean', 'ndim', 'ravel', 'real',
             'repeat', 'reshape', 'shape', 'size', 'sum', 'tolist', 'transpose'}
OF_GENERATORS = {'beta', 'choice', 'exponential', 'gamma', 'integers', 'laplace', 'lognormal', 'normal',
                 'permutation', 'poisson', 'random', 'standard_exponential', 'standard_normal', 'uniform'}
RANDOM = {'default_rng'}
BINARY: dict[type, Callable] = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
                                ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv, ast.Pow: operator.pow,
                                ast.MatMult: operator.matmul}
UNARY: dict[type, Callable] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
                               ast.Invert: operator.invert}
COMPARE: dict[type, Callable] = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
                                 ast.Eq: operator.eq, ast.NotEq: operator.ne}
BITS = 4096  # of an integer: `9**9**9` would take all memory, as would
MANY = 1_000_000  # items of a list that is repeated


class NotData(ValueError):
    """Something else than data."""


def value_of(node: ast.expr) -> Any:
    """The value of an expression that says data; raises NotData for anything else.

    >>> value_of(ast.parse('[np.ones(2) * -1.5, {"k": (1, np.pi > 3)}]', mode='eval').body)
    [array([-1.5, -1.5]), {'k': (1, True)}]
    >>> value_of(ast.parse('np.load("x.npy", allow_pickle=True)', mode='eval').body)
    Traceback (most recent call last):
    transpiler.cli.literals.NotData: `np.load` is no data
    """
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=parts):
            return tuple(map(value_of, parts))
        case ast.List(elts=parts):
            return list(map(value_of, parts))
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {value_of(k): value_of(v) for k, v in zip(keys, values) if k is not None}
        case ast.UnaryOp(op=op, operand=operand):
            return UNARY[type(op)](value_of(operand))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _computed(type(op), value_of(left), value_of(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
            return COMPARE[type(op)](value_of(left), value_of(right))
        case ast.Subscript(value=base, slice=index):
            return value_of(base)[_index(index)]
        case ast.Call(func=function, args=args, keywords=keywords):
            return _function(function)(*map(value_of, args), **named(keywords))
        case ast.Attribute():
            return _member(node, called=False)
    raise NotData(f'`{ast.unparse(node)}` is no data')


def named(keywords: list[ast.keyword]) -> dict[str, Any]:
    """The values of keyword arguments by name."""
    names = [str(k.arg) for k in keywords]
    if 'None' in names or len(set(names)) < len(names):
        raise NotData('`**` is no data, and a name stands once')
    return {name: value_of(k.value) for name, k in zip(names, keywords)}


def _computed(kind: type, left: Any, right: Any) -> Any:
    if isinstance(left, (str, bytes)) or isinstance(right, (str, bytes)):
        raise NotData('text is not computed with')
    if kind is ast.Mult and any(isinstance(a, (list, tuple)) and isinstance(b, int) and len(a) * b > MANY
                                for a, b in ((left, right), (right, left))):
        raise NotData(f'a sequence of more than {MANY} items')
    if kind is ast.Pow and isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > BITS:
        raise NotData(f'an integer of more than {BITS} bits')
    return BINARY[kind](left, right)


def _index(node: ast.expr) -> Any:
    match node:
        case ast.Slice(lower=lower, upper=upper, step=step):
            return slice(*(None if part is None else value_of(part) for part in (lower, upper, step)))
        case ast.Tuple(elts=parts):
            return tuple(map(_index, parts))
    return value_of(node)


def _function(node: ast.expr) -> Callable:
    match node:
        case ast.Name(id=name) if name in BUILTINS:
            return BUILTINS[name]
        case ast.Attribute():
            return _member(node, called=True)
    raise NotData(f'`{ast.unparse(node)}` is no data')


def _member(node: ast.Attribute, called: bool) -> Any:
    """`np.pi` and the like, what makes arrays and numbers, and a few methods of arrays and of random generators."""
    match node:
        case ast.Attribute(value=ast.Name(id='np' | 'numpy'), attr=name):
            if _is_data(name, called):
                return getattr(np, name)
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id='np' | 'numpy'), attr='random'), attr=name):
            if called and name in RANDOM:
                return getattr(np.random, name)
        case ast.Attribute(value=base, attr=name):
            value = value_of(base)
            known = OF_ARRAYS if isinstance(value, (np.ndarray, np.generic)) else OF_GENERATORS
            if name in known and isinstance(value, (np.ndarray, np.generic, np.random.Generator)):
                return getattr(value, name)
    raise NotData(f'`{ast.unparse(node)}` is no data')


def _is_data(name: str, called: bool) -> bool:
    found = getattr(np, name, None)
    if name in CONSTANTS or isinstance(found, type) and issubclass(found, np.generic):
        return True
    return called and (name in MAKERS or isinstance(found, np.ufunc))
