"""What rules are for: a solver differentiated at its solution, an integrator by its adjoint, a library's solver."""
import functools

import numpy as np
from scipy import optimize

import transpiler as tp


@functools.partial(tp.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, x):
    """Where x = f(a, x)."""
    change = np.inf
    while change > 1e-13:
        previous = x
        x = f(a, x)
        change = np.max(np.abs(x - previous))
    return x


def fixed_point_fwd(f, a, x):
    x = fixed_point(f, a, x)
    return x, (a, x)


def fixed_point_bwd(f, kept, x_bar):
    """The cotangent w of the equation solves w = x_bar + w df/dx: another fixed point."""
    a, x = kept
    pullback = tp.grad(lambda a, x, w: np.sum(w * f(a, x)), argnums=(0, 1))
    w = x_bar
    change = np.inf
    while change > 1e-13:
        previous = w
        w = x_bar + pullback(a, x, w)[1]
        change = np.max(np.abs(w - previous))
    return pullback(a, x, w)[0], None


fixed_point.defvjp(fixed_point_fwd, fixed_point_bwd)


def kepler(e, mean):
    """The squares of the eccentric anomalies E = M + e sin E of orbits."""
    anomaly = fixed_point(lambda a, x: a[1] + a[0] * np.sin(x), (e, mean), mean)
    return np.sum(anomaly * anomaly)


@functools.partial(tp.custom_vjp, nondiff_argnums=(0, 3, 4))
def integrate(f, a, y, time, steps):
    """The solution of dy/dt = f(a, y) at the given time, by the midpoint rule."""
    h = time / steps
    for _ in range(steps):
        y = y + h * f(a, y + 0.5 * h * f(a, y))
    return y


def integrate_fwd(f, a, y, time, steps):
    y = integrate(f, a, y, time, steps)
    return y, (a, y)


def integrate_bwd(f, time, steps, kept, y_bar):
    """State, cotangent and gradient are integrated backwards together; nothing of the way forward is kept."""
    (a, y), h = kept, time / steps
    pullback = tp.grad(lambda a, y, y_bar: np.sum(y_bar * f(a, y)), argnums=(0, 1))
    a_bar = np.zeros_like(a)
    for _ in range(steps):
        middle = y - 0.5 * h * f(a, y)
        middle_bar = y_bar + 0.5 * h * pullback(a, y, y_bar)[1]
        y = y - h * f(a, middle)
        by_a, by_y = pullback(a, middle, middle_bar)
        y_bar = y_bar + h * by_y
        a_bar = a_bar + h * by_a
    return a_bar, y_bar


integrate.defvjp(integrate_fwd, integrate_bwd)


def neural_ode(a, y):
    return np.sum(integrate(lambda a, y: np.tanh(a @ y) - y, a, y, 1.0, 200) ** 2)


def residual(a, x):
    return np.array([x[0] + x[1] * x[1] - a[0], a[1] * x[0] * x[1] + np.exp(-x[1]) - 1.0])


@functools.partial(tp.primitive, result='x')
def root(a, x):
    return optimize.root(lambda x: residual(a, x), x, tol=1e-14).x


def solved(m, v):
    """m⁻¹ v, for two equations."""
    return np.array([m[1, 1] * v[0] - m[0, 1] * v[1], m[0, 0] * v[1] - m[1, 0] * v[0]]) / (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0])


def root_jvp(primals, tangents):
    """residual(a, x) = 0 at the root, whatever `a`: its derivatives by both cancel."""
    (a, x), (a_dot, _) = primals, tangents
    x = root(a, x)
    by_x = np.stack([tp.grad(lambda x: residual(a, x)[k])(x) for k in range(2)])
    by_a = np.stack([tp.grad(lambda a: residual(a, x)[k])(a) for k in range(2)])
    return x, -solved(by_x, by_a @ a_dot)


root.defjvp(root_jvp)


def at_the_root(a):
    x = root(a, np.array([0.5, 1.0]))
    return x[0] * x[1]
