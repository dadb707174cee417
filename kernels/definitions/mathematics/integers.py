"""The functions of `math`, and methods of numbers, for integers that only run time knows."""
import numpy as np


def gcd(*integers):
    found = 0
    for n in integers:
        while n != 0:
            found, n = n, found % n
    return abs(found)


def lcm(*integers):
    found = 1
    for n in integers:
        found = 0 if n == 0 else abs(found // gcd(found, n) * n)
    return found


def factorial(n):
    if n < 0:
        raise ValueError('factorial() not defined for negative values')
    found = 1
    for k in range(2, n + 1):
        found = found * k
    return found


def perm(n, k):
    if n < 0 or k < 0:
        raise ValueError('n and k must be non-negative integers')
    found = 1
    for j in range(k):
        found = found * (n - j)
    return found


def comb(n, k):
    if n < 0 or k < 0:
        raise ValueError('n and k must be non-negative integers')
    found = 1
    for j in range(min(k, n - k)):
        found = found * (n - j) // (j + 1)
    return 0 if k > n else found


def power_modulo(base, exponent, mod):
    """`pow(base, exponent, mod)`; of a negative exponent the inverse, by Euclid's algorithm."""
    if mod == 0:
        raise ValueError('pow() 3rd argument cannot be 0')
    if exponent < 0:
        rest, left, before, after = mod, base % mod, 0, 1
        while left != 0:
            rest, left, before, after = left, rest % left, after, before - rest // left * after
        if abs(rest) != 1:
            raise ValueError('base is not invertible for the given modulus')
        base = before * rest
    found, square, rest = 1 % mod, base % mod, abs(exponent)
    while rest > 0:
        if rest % 2 == 1:
            found = found * square % mod
        rest //= 2
        if rest > 0:
            square = square * square % mod
    return found


def isqrt(n):
    if n < 0:
        raise ValueError('isqrt() argument must be nonnegative')
    found, closer = n, n - n // 2
    while closer < found:
        found, closer = closer, (closer + n // closer) // 2
    return found


def bit_length(n):
    if not isinstance(n, int):
        raise AttributeError("only Python's integers have the attribute 'bit_length'")
    rest, found = abs(n), 0
    while rest > 0:
        rest, found = rest // 2, found + 1
    return found


def bit_count(n):
    if not isinstance(n, (int, np.integer)):
        raise AttributeError("only integers have the attribute 'bit_count'")
    rest, found = abs(int(n)), 0
    while rest > 0:
        rest, found = rest // 2, found + rest % 2
    return found


def is_integer(x):
    if not isinstance(x, (int, float, np.integer, np.floating)):
        raise AttributeError("only numbers have the attribute 'is_integer'")
    return True if isinstance(x, (int, np.integer)) else bool(np.isfinite(x) and np.floor(x) == x)
