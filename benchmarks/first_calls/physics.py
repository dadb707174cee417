"""Physics: orbits, light, elastic bodies and molecules."""
import numpy as np

from benchmarks.first_calls.record import Program


def eccentric_anomaly(mean, e):
    """Kepler's equation by Newton's iteration."""
    E = mean + e * np.sin(mean)
    for _ in range(50):
        step = (E - e * np.sin(E) - mean) / (1.0 - e * np.cos(E))
        E = E - step
        if abs(step) < 1e-12:
            break
    return E


def state_of(elements, mu):
    """Place and velocity from the elements of an orbit."""
    a, e, i, node, periapsis, mean = elements
    E = eccentric_anomaly(mean, e)
    nu = 2.0 * np.arctan2(np.sqrt(1.0 + e) * np.sin(E / 2.0), np.sqrt(1.0 - e) * np.cos(E / 2.0))
    r, p = a * (1.0 - e * np.cos(E)), a * (1.0 - e ** 2)
    place = r * np.array([np.cos(nu), np.sin(nu), 0.0])
    velocity = np.sqrt(mu / p) * np.array([-np.sin(nu), e + np.cos(nu), 0.0])
    cn, sn, ci, si, cp, sp = np.cos(node), np.sin(node), np.cos(i), np.sin(i), np.cos(periapsis), np.sin(periapsis)
    turn = np.array([[cn * cp - sn * sp * ci, -cn * sp - sn * cp * ci, sn * si],
                     [sn * cp + cn * sp * ci, -sn * sp + cn * cp * ci, -cn * si],
                     [sp * si, cp * si, ci]])
    return turn @ place, turn @ velocity


def perturbed(r, v, body):
    """Gravity of an oblate planet, and drag of an exponential atmosphere."""
    distance = np.sqrt(r @ r)
    gravity = -body['mu'] * r / distance ** 3
    z = (r[2] / distance) ** 2
    factor = 1.5 * body['J2'] * body['mu'] * body['radius'] ** 2 / distance ** 5
    oblate = factor * np.array([r[0] * (5.0 * z - 1.0), r[1] * (5.0 * z - 1.0), r[2] * (5.0 * z - 3.0)])
    density = body['density'] * np.exp(-(distance - body['radius']) / body['height'])
    wind = v - np.cross(np.array([0.0, 0.0, body['spin']]), r)
    return gravity + oblate - 0.5 * density * body['ballistic'] * np.linalg.norm(wind) * wind


def orbit(elements, body, station, ranges, dt, steps):
    """How far the distances from a station that turns with the planet are from those measured."""
    r, v = state_of(elements, body['mu'])
    loss = 0.0
    for k in range(steps):
        k1r, k1v = v, perturbed(r, v, body)
        k2r, k2v = v + 0.5 * dt * k1v, perturbed(r + 0.5 * dt * k1r, v + 0.5 * dt * k1v, body)
        k3r, k3v = v + 0.5 * dt * k2v, perturbed(r + 0.5 * dt * k2r, v + 0.5 * dt * k2v, body)
        k4r, k4v = v + dt * k3v, perturbed(r + dt * k3r, v + dt * k3v, body)
        r = r + dt / 6.0 * (k1r + 2.0 * k2r + 2.0 * k3r + k4r)
        v = v + dt / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v)
        angle = body['spin'] * (k + 1) * dt
        c, s = np.cos(angle), np.sin(angle)
        here = np.array([c * station[0] - s * station[1], s * station[0] + c * station[1], station[2]])
        loss += (np.linalg.norm(r - here) - ranges[k]) ** 2
    return loss / steps


def unit(v):
    return v / np.sqrt(np.sum(v * v))


def nearest(origin, ray, centers, radii):
    """The distance to the first sphere that a ray meets, and which it is."""
    best, which = np.inf, -1
    for k in range(radii.size):
        to = origin - centers[k]
        b = np.dot(to, ray)
        under = b * b - np.dot(to, to) + radii[k] ** 2
        if under > 0.0:
            t = -b - np.sqrt(under)
            if 1e-4 < t < best:
                best, which = t, k
    return best, which


def traced(origin, ray, centers, radii, colors, mirrors, light, depth):
    """The colour that comes along a ray: shading, shadows, and reflections up to a depth."""
    t, k = nearest(origin, ray, centers, radii)
    if k < 0:
        sky = 0.5 * (ray[1] + 1.0)
        return (1.0 - sky) * np.ones(3) + sky * np.array([0.5, 0.7, 1.0])
    place = origin + t * ray
    normal = unit(place - centers[k])
    to_light = unit(light - place)
    shade = 0.1
    _, blocked = nearest(place + 1e-3 * normal, to_light, centers, radii)
    if blocked < 0:
        half = unit(to_light - ray)
        shade += np.maximum(np.dot(normal, to_light), 0.0) + 0.3 * np.maximum(np.dot(normal, half), 0.0) ** 20
    color = shade * colors[k]
    if depth > 0 and mirrors[k] > 0.0:
        bounced = unit(ray - 2.0 * np.dot(ray, normal) * normal)
        seen = traced(place, bounced, centers, radii, colors, mirrors, light, depth - 1)
        color = (1.0 - mirrors[k]) * color + mirrors[k] * seen
    return color


def rendered(centers, radii, colors, mirrors, light, target):
    """How far a picture of spheres is from another one."""
    h, w, _ = target.shape
    eye, loss = np.array([0.0, 0.0, -3.0]), 0.0
    for i in range(h):
        for j in range(w):
            ray = unit(np.array([(j + 0.5) / w - 0.5, 0.5 - (i + 0.5) / h, 1.0]))
            loss += np.sum((traced(eye, ray, centers, radii, colors, mirrors, light, 2) - target[i, j]) ** 2)
    return loss / (h * w)


def stiffness(corners, young, poisson):
    """Of a triangle of constant strain under plane stress."""
    x, y = corners[:, 0], corners[:, 1]
    b = np.array([y[1] - y[2], y[2] - y[0], y[0] - y[1]])
    c = np.array([x[2] - x[1], x[0] - x[2], x[1] - x[0]])
    area = 0.5 * (b[0] * c[1] - b[1] * c[0])
    B = np.zeros((3, 6))
    B[0, 0::2] = b
    B[1, 1::2] = c
    B[2, 0::2] = c
    B[2, 1::2] = b
    B = B / (2.0 * area)
    D = young / (1.0 - poisson ** 2) * np.array([[1.0, poisson, 0.0], [poisson, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - poisson)]])
    return area * B.T @ D @ B, D @ B, area


def finite_elements(nodes, young, poisson, triangles, fixed, loads, limit):
    """A plate under load: assembly, boundary conditions, solution; compliance, and a penalty on stresses over a limit."""
    n = nodes.shape[0]
    K = np.zeros((2 * n, 2 * n))
    for e in range(triangles.shape[0]):
        corners = triangles[e]
        local, _, _ = stiffness(nodes[corners], young[e], poisson)
        places = np.zeros(6, dtype=np.int64)
        places[0::2], places[1::2] = 2 * corners, 2 * corners + 1
        for i in range(6):
            for j in range(6):
                K[places[i], places[j]] += local[i, j]
    for k in fixed:
        K[k, :] = 0.0
        K[:, k] = 0.0
        K[k, k] = 1.0
    u = np.linalg.solve(K, loads)
    penalty, volume = 0.0, 0.0
    for e in range(triangles.shape[0]):
        corners = triangles[e]
        _, stress_of, area = stiffness(nodes[corners], young[e], poisson)
        local = np.zeros(6)
        local[0::2], local[1::2] = u[2 * corners], u[2 * corners + 1]
        sx, sy, sxy = stress_of @ local
        mises = np.sqrt(sx ** 2 - sx * sy + sy ** 2 + 3.0 * sxy ** 2 + 1e-12)
        penalty += np.maximum(mises / limit - 1.0, 0.0) ** 2 * area
        volume += young[e] * area
    return loads @ u + penalty + 0.01 * volume


def neighbours(positions, box, reach):
    """Pairs within reach, as a list of them."""
    pairs = []
    for i in range(len(positions)):
        for j in range(i + 1, len(positions)):
            d = positions[i] - positions[j]
            d = d - box * np.round(d / box)
            if np.sum(d ** 2) < reach ** 2:
                pairs.append((i, j))
    return np.array(pairs)


def molecular_forces(positions, charges, pairs, box, params):
    """Lennard-Jones and screened charges over a list of neighbours: the energy and the forces."""
    forces, energy = np.zeros_like(positions), 0.0
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        d = positions[i] - positions[j]
        d = d - box * np.round(d / box)
        r2 = np.sum(d ** 2)
        if r2 >= params['cutoff'] ** 2:
            continue
        r = np.sqrt(r2)
        s6 = (params['sigma'] ** 2 / r2) ** 3
        screened = charges[i] * charges[j] * np.exp(-params['kappa'] * r) / r
        energy += 4.0 * params['epsilon'] * (s6 ** 2 - s6) + screened
        slope = 24.0 * params['epsilon'] * (2.0 * s6 ** 2 - s6) / r2 + screened * (params['kappa'] + 1.0 / r) / r
        forces[i] += slope * d
        forces[j] -= slope * d
    return energy, forces


def molecules(params, charges, positions, velocities, pairs, box, temperature, dt, steps):
    """Molecular dynamics by velocity Verlet with Berendsen's thermostat, and the mean energy of the way."""
    energy, forces = molecular_forces(positions, charges, pairs, box, params)
    total = 0.0
    for _ in range(steps):
        velocities = velocities + 0.5 * dt * forces
        positions = (positions + dt * velocities) % box
        energy, forces = molecular_forces(positions, charges, pairs, box, params)
        velocities = velocities + 0.5 * dt * forces
        now = np.sum(velocities ** 2) / (3.0 * len(positions))
        velocities = velocities * np.sqrt(1.0 + 0.1 * (temperature / now - 1.0))
        total += energy + 0.5 * np.sum(velocities ** 2)
    return total / steps


def _orbit(rng, steps=4):
    body = {'mu': 1.0, 'J2': 1e-3, 'radius': 1.0, 'density': 0.1, 'height': 0.1, 'ballistic': 0.5, 'spin': 0.06}
    return np.array([1.4, 0.1, 0.5, 0.3, 0.7, 1.1]), body, np.array([0.8, 0.3, 0.5]), rng.uniform(0.5, 2.0, steps), 0.05, steps


def _spheres(rng, n=3, size=6):
    centers = rng.uniform(-0.8, 0.8, (n, 3)) + np.array([0.0, 0.0, 1.0])
    light, target = np.array([3.0, 4.0, -3.0]), rng.random((size, size, 3))
    return centers, rng.uniform(0.4, 0.6, n), rng.random((n, 3)), rng.random(n), light, target


def _plate(rng, nx=3, ny=2):
    x, y = np.meshgrid(np.arange(nx + 1.0), np.arange(ny + 1.0), indexing='ij')
    nodes = np.stack((x.ravel(), y.ravel()), axis=1) + 0.05 * rng.normal(size=((nx + 1) * (ny + 1), 2))
    first = np.array([i * (ny + 1) + j for i in range(nx) for j in range(ny)])
    lower, upper = (first, first + ny + 1, first + ny + 2), (first, first + ny + 2, first + 1)
    triangles = np.concatenate((np.stack(lower, 1), np.stack(upper, 1)))
    loads = np.zeros(2 * len(nodes))
    loads[-1] = -0.1
    return nodes, rng.uniform(1.0, 2.0, len(triangles)), 0.3, triangles, np.arange(2 * (ny + 1)), loads, 0.2


def _liquid(rng, n=2):
    grid = np.stack(np.meshgrid(*3 * [np.arange(n)], indexing='ij'), -1).reshape(-1, 3)
    positions, box = 1.2 * grid + rng.uniform(0.0, 0.1, (n ** 3, 3)), 1.5 * n
    params = {'epsilon': 1.0, 'sigma': 1.0, 'kappa': 0.5, 'cutoff': 2.0}
    pairs = neighbours(positions, box, 2.2)
    return params, rng.normal(size=n ** 3), positions, rng.normal(size=(n ** 3, 3)), pairs, box, 1.0, 0.002, 3


PROGRAMS = (
    Program(orbit, _orbit, (0, 1)),
    Program(rendered, _spheres, (0, 1, 2, 3, 4)),
    Program(finite_elements, _plate, (0, 1, 2)),
    Program(molecules, _liquid, (0, 1)),
)
