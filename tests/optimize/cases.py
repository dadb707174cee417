"""Programs for the golden files: a pass, and a text that it should improve."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from transpiler.core.links import link
from transpiler.optimize import optimize, surface
from transpiler.optimize.algebra.simplify import simplify_algebra
from transpiler.optimize.memory.store_forwarding import forward_stores
from transpiler.optimize.redundancy.common_subexpressions import share_common
from transpiler.optimize.redundancy.copy_propagation import propagate_copies
from transpiler.optimize.redundancy.dead_code import eliminate_dead_code
from transpiler.optimize.redundancy.phi_copies import copy_in_arms
from transpiler.optimize.surface.augmented_assignment import augment
from transpiler.optimize.surface.coalesce import coalesce
from transpiler.optimize.surface.renest import renest
from transpiler.values.dims import Dim
from transpiler.values.types import BOOL, FLOAT, INT, Array, Tape

N, M, K = (Dim.symbol(name, large=True) for name in 'nmk')
FLOAT64 = np.dtype(np.float64)
ROW, TABLE = Array(FLOAT64, (N,)), Array(FLOAT64, (N, M))


@dataclass(frozen=True)
class Case:
    change: object
    text: str
    types: dict = field(default_factory=dict)
    temporaries: tuple[str, ...] = ()
    params: tuple[str, ...] | None = None


def kinds(**groups: object) -> dict:
    """`kinds(x_y=FLOAT)`: types by names that are joined in the keyword with double underscores."""
    return {name: type_ for names, type_ in groups.items() for name in names.split('__')}


def whole(core):
    return surface(optimize(core))


CASES = {
    'copies_through_branches': Case(propagate_copies, '''
        y = x
        if c:
            z = y + 1
            y = z
        else:
            z = y
        w = y + z
        return w'''),
    'copies_stop_at_loops': Case(propagate_copies, '''
        y = x
        for i in range(n):
            z = y * a
            y = z
        return y'''),
    'common_across_sweeps': Case(share_common, '''
        m = -x
        e = np.exp(m)
        y = 1.0 + e
        # pullback
        p = np.exp(m)
        x_bar = p * y
        return x_bar''', kinds(m__e__y__p__x_bar__x=ROW)),
    'common_not_across_writes': Case(share_common, '''
        a = np.zeros(n)
        s = np.sum(a)
        a[0] = x
        t = np.sum(a)
        u = s + t
        return u'''),
    'common_keeps_arrays_apart': Case(share_common, '''
        a = x * 2.0
        b = x * 2.0
        return a, b''', kinds(a__b__x=ROW)),
    'dead_accumulator': Case(eliminate_dead_code, '''
        s = 0.0
        t = tape.new()
        for i in range(n):
            r = s * x
            tape.push(t, r)
            s = r
        y = x * x
        return y'''),
    'dead_but_may_raise': Case(eliminate_dead_code, '''
        y = x[5]
        z = n // m
        w = x + x
        u = w * 2.0
        return w''', kinds(x__w__u=ROW, y=FLOAT, n__m__z=INT)),
    'dead_writes_into_locals': Case(eliminate_dead_code, '''
        # pullback
        a = np.zeros(n)
        v = a[1:]
        v[0] = x
        b = np.zeros(n)
        b[0] = x
        return b''', kinds(a__v__b=ROW, x=FLOAT, n=INT)),
    'signs_cancel': Case(simplify_algebra, '''
        # pullback
        a = -x
        b = a * y
        c = -b
        d = z + a
        e = -d
        return c, e''', kinds(a__b__c__d__e__x__y__z=ROW), ('a', 'b', 'c', 'd', 'e')),
    'constants_gather': Case(whole, '''
        s = err ** 2
        n = err.size
        # pullback
        r = 1.0 / n
        s_bar = np.full_like(s, r)
        p = 2 * err
        err_bar = s_bar * p
        return err_bar''', kinds(s__s_bar__p__err_bar__err=ROW, n=INT, r=FLOAT), ('n', 's', 'r', 's_bar', 'p')),
    'primal_keeps_its_roundings': Case(simplify_algebra, '''
        a = x * 0.1
        b = a * 3.0
        c = b * 1.0
        d = c + 0.0
        return d''', kinds(a__b__c__d__x=FLOAT), ('a', 'b', 'c')),
    'stores_into_zeroed_elements': Case(forward_stores, '''
        u_bar = np.copy(u)
        for i in range(1, n, 1):
            c = u_bar[i]
            u_bar[i] = 0.0
            t = 0.25 * c
            j = i - 1
            u_bar[j] += t
            s = 0.5 * c
            u_bar[i] += s
        return u_bar''', kinds(u_bar__u=ROW, c__t__s=FLOAT, i__j__n=INT)),
    'zeros_that_are_added_to': Case(forward_stores, '''
        c = np.sin(x)
        x_bar = np.zeros_like(x)
        x_bar[...] += c
        y_bar = np.zeros_like(x)
        y_bar[...] += x
        return x_bar, y_bar''', kinds(x__x_bar__c__y_bar=ROW)),
    'stencils_keep_their_place': Case(whole, '''
        u_bar = np.copy(u)
        # pullback
        for t in range(n):
            p = u_bar[1:-1]
            c = np.copy(p)
            u_bar[1:-1] = 0.0
            q = c * k
            u_bar[2:] += q
            m = -2.0 * q
            u_bar[1:-1] += m
            u_bar[1:-1] += c
        return u_bar''', kinds(u__u_bar__p__c__q__m=ROW, k=FLOAT, n__t=INT), ('p', 'c', 'q', 'm')),
    'running_products_in_place': Case(whole, '''
        x_bar = np.zeros_like(x)
        y_bar = np.ones_like(x)
        # pullback
        for i in range(n):
            c = np.copy(y_bar)
            y_bar[:] = 0.0
            p = c * x
            y_bar[...] += p
            q = c * x
            x_bar[...] += q
        v = y_bar[0]
        y_bar[0] = 0.0
        return x_bar, v''', kinds(x__x_bar__y_bar__c__p__q=ROW, v=FLOAT, n__i=INT), ('c', 'p', 'q')),
    'signs_leave_sums': Case(whole, '''
        # pullback
        t = -x
        s = t * y
        m_bar = np.sum(s)
        u = -2.0 * m_bar
        w = u + m_bar
        return w''', kinds(x__y__t__s=ROW, m_bar__u__w=FLOAT), ('t', 's', 'u')),
    'branches_begin_together': Case(whole, '''
        c = x > 0.0
        if c:
            s = 0.0
            for i in range(n):
                t = s + x
                s = t
        else:
            s = 0.0
            for j in range(n):
                u = s - x
                s = u
        return s''', kinds(s__t__u__x=FLOAT, c=BOOL, n__i__j=INT), ('c', 't', 'u')),
    'copies_in_arms': Case(copy_in_arms, '''
        if c:
            if d:
                b = x * x
            else:
                e = 2 * x
            z = 3 * x
        else:
            z = x
        y = 2 * x
        a = b
        w = y + z
        return w''', kinds(a__b__e__w__x__y__z=ROW, c__d=BOOL)),
    'names_tell': Case(whole, '''
        t1 = np.exp(x)
        t2 = t1 + 1.0
        h = np.sqrt(t2)
        t3 = h - y
        t4 = t3 * t3
        t5 = a[i]
        t6 = t4 * t5
        t7 = t2 * t1
        t8 = t5 / t2
        return t6, t7, t8''', kinds(t1__t2__h__t3__t4__t6__t7__t8__x__y__a=ROW, t5=FLOAT, i=INT),
        ('t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8')),
    'nesting_stops_at_writes': Case(renest, '''
        t = x[0]
        s = x[1]
        x[0] = y
        z = s + 1.0
        w = t * z
        return w''', kinds(t__s__y__z__w=FLOAT, x=ROW), ('t', 's')),
    'nesting_keeps_the_users_lines': Case(renest, '''
        t = np.matmul(x, w)
        z = t + b
        h = np.tanh(z)
        u = np.sum(h)
        return u''', temporaries=('t', 'z', 'u')),
    'nesting_tells_numbers_from_arrays': Case(renest, '''
        t = np.searchsorted(k, y)
        u = t % 2
        x[u] += 1.0
        v = np.searchsorted(k, x)
        x[v] += 2.0
        return x''', kinds(t__u=INT, y=FLOAT, k__v=Array(np.dtype(int), (N,)), x=ROW), ('t', 'u', 'v')),
    'versions_become_one_name': Case(coalesce, '''
        omega_1 = omega
        for i in range(n):
            t = dt * omega_1
            theta_2 = theta_1 + t
            u = dt * theta_2
            omega_2 = omega_1 - u
            theta_1 = theta_2
            omega_1 = omega_2
        return theta_1, omega_1''', kinds(omega__omega_1__omega_2__theta_1__theta_2__t__u__dt=FLOAT, i__n=INT),
        params=('omega', 'theta_1', 'dt', 'n')),
    'versions_that_interfere': Case(coalesce, '''
        y_1 = y * 2.0
        z = y_1 + y
        return z''', kinds(y__y_1__z=FLOAT)),
    'augmented_numbers': Case(augment, '''
        s = s + x * y
        s = x * s
        s = s - 1.0
        a = a + a
        return s, a''', kinds(s__x__y=FLOAT, a=ROW), params=('s', 'x', 'y', 'a')),
    'conditional_expression': Case(lambda core: whole(marked(core)), '''
        c = x > 0.0
        if c:
            t = x * 2.0
            r = t
        else:
            u = -x
            r = u
        y = r + 1.0
        return y''', kinds(t__r__u__x__y=FLOAT, c=BOOL), ('c', 't', 'r', 'u')),
    'newton': Case(whole, '''
        x_1 = a
        x_tape = tape.new()
        while x_1 * x_1 - a > 1e-12 * a:
            tape.push(x_tape, x_1)
            t = a / x_1
            u = x_1 + t
            x_2 = 0.5 * u
            x_1 = x_2
        # pullback
        x_bar = 1.0
        a_bar = 0.0
        n = python.len(x_tape)
        for k in range(n):
            x_3 = tape.pop(x_tape)
            half = 0.5 * x_bar
            q = half / x_3
            a_bar_1 = a_bar + q
            m = half * a
            xx = x_3 * x_3
            d = m / xx
            x_bar_1 = half - d
            a_bar = a_bar_1
            x_bar = x_bar_1
        a_bar_2 = a_bar + x_bar
        return a_bar_2''',
        kinds(x_1__a__t__u__x_2__x_bar__a_bar__x_3__half__q=FLOAT, a_bar_1__a_bar_2__m__xx__d__x_bar_1=FLOAT, n__k=INT,
              x_tape=Tape(FLOAT)),
        ('t', 'u', 'q', 'm', 'xx', 'd', 'n')),
    'sum_logistic': Case(whole, '''
        t1 = -x
        t2 = np.exp(t1)
        t3 = 1.0 + t2
        t4 = 1.0 / t3
        t5 = np.sum(t4)
        # pullback
        t4_bar = np.full_like(t4, 1.0)
        p1 = t4 * t4
        p2 = -p1
        t3_bar = t4_bar * p2
        p3 = np.exp(t1)
        t1_bar = t3_bar * p3
        x_bar = -t1_bar
        return x_bar''', kinds(t1__t2__t3__t4__t4_bar__p1__p2__t3_bar__p3__t1_bar__x_bar__x=ROW, t5=FLOAT),
        ('t1', 't2', 't3', 't4', 't5', 't4_bar', 'p1', 'p2', 't3_bar', 'p3', 't1_bar')),
}


def marked(core):
    """The program with its branches marked as conditional expressions, as the specialiser does."""
    for statement in core.body:
        if hasattr(statement, 'orelse'):
            link(statement, expression=True)
    return core
