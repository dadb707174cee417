"""The functions of `math` for integers that only run time knows."""


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


def isqrt(n):
    if n < 0:
        raise ValueError('isqrt() argument must be nonnegative')
    found, closer = n, n - n // 2
    while closer < found:
        found, closer = closer, (closer + n // closer) // 2
    return found
