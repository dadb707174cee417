"""Particles: sums over pairs, cutoffs, and deposits on a grid."""
import numpy as np

from benchmarks.kernels.record import Kernel


def nbody_energy(positions, masses, softening):
    """Pairs by two loops."""
    energy = 0.0
    for i in range(positions.shape[0]):
        for j in range(i + 1, positions.shape[0]):
            d = positions[i] - positions[j]
            energy -= masses[i] * masses[j] / np.sqrt(d @ d + softening)
    return energy


def nbody_steps(positions, velocities, masses, dt, steps):
    """The benchmarks game's n-body: velocities changed pair by pair, numbers read out of arrays."""
    n = masses.size
    for _ in range(steps):
        for i in range(n):
            for j in range(i + 1, n):
                dx = positions[i, 0] - positions[j, 0]
                dy = positions[i, 1] - positions[j, 1]
                dz = positions[i, 2] - positions[j, 2]
                mag = dt / ((dx * dx + dy * dy + dz * dz + 0.01) ** 1.5)
                velocities[i, 0] -= dx * masses[j] * mag
                velocities[i, 1] -= dy * masses[j] * mag
                velocities[i, 2] -= dz * masses[j] * mag
                velocities[j, 0] += dx * masses[i] * mag
                velocities[j, 1] += dy * masses[i] * mag
                velocities[j, 2] += dz * masses[i] * mag
        for i in range(n):
            positions[i] += dt * velocities[i]
    return np.sum(velocities ** 2)


def minimum_image(d, box):
    return d - box * np.round(d / box)


def lennard_jones(positions, box, params):
    """Energy in a periodic box, with a cutoff."""
    energy = 0.0
    for i in range(len(positions)):
        for j in range(i + 1, len(positions)):
            d = minimum_image(positions[i] - positions[j], box)
            r2 = np.sum(d * d)
            if r2 < params['cutoff'] ** 2:
                s6 = (params['sigma'] ** 2 / r2) ** 3
                energy += 4.0 * params['epsilon'] * (s6 * s6 - s6)
    return energy


def lj_forces(positions, cutoff):
    """Forces written into an array, pairs beyond the cutoff left out by `continue`."""
    forces = np.zeros_like(positions)
    for i in range(positions.shape[0]):
        for j in range(i):
            d = positions[i] - positions[j]
            r2 = d @ d
            if r2 > cutoff * cutoff:
                continue
            inverse = 1.0 / (r2 + 0.1)
            f = 24.0 * inverse ** 4 * (2.0 * inverse ** 3 - 1.0) * d
            forces[i] += f
            forces[j] -= f
    return np.sum(forces ** 2)


def deposit(positions, charges, cells):
    """Particle in cell: charges are shared by two neighbouring cells."""
    density = np.zeros(cells + 1)
    for k in range(positions.size):
        x = positions[k] * cells
        cell = int(x)
        fraction = x - cell
        density[cell] += charges[k] * (1.0 - fraction)
        density[cell + 1] += charges[k] * fraction
    return np.sum(density ** 2)


def pic_step(x, v, cells, dt, steps):
    """A plasma in one dimension: deposit, field by a running sum, gather, push; positions wrap around."""
    field = np.zeros(cells)
    for _ in range(steps):
        density = np.zeros(cells)
        for k in range(x.size):
            left = int(np.floor(x[k] * cells)) % cells
            w = x[k] * cells - np.floor(x[k] * cells)
            density[left] += 1.0 - w
            density[(left + 1) % cells] += w
        density -= np.mean(density)
        total = 0.0
        for c in range(cells):
            total += density[c] / cells
            field[c] = total
        field -= np.mean(field)
        for k in range(x.size):
            left = int(np.floor(x[k] * cells)) % cells
            w = x[k] * cells - np.floor(x[k] * cells)
            v[k] += dt * ((1.0 - w) * field[left] + w * field[(left + 1) % cells])
            x[k] = (x[k] + dt * v[k]) % 1.0
    return np.sum(v ** 2)


def cell_list(positions, cutoff):
    """Neighbours by cells: counting sort of integer cells, then sums over two adjacent ones."""
    cells = int(1.0 / cutoff)
    counts = np.zeros(cells + 1, dtype=np.int64)
    for k in range(positions.size):
        counts[int(positions[k] * cells) + 1] += 1
    for c in range(cells):
        counts[c + 1] += counts[c]
    filled = counts[:-1].copy()
    order = np.zeros(positions.size, dtype=np.int64)
    for k in range(positions.size):
        c = int(positions[k] * cells)
        order[filled[c]] = k
        filled[c] += 1
    energy = 0.0
    for c in range(cells - 1):
        for a in range(counts[c], counts[c + 1]):
            for b in range(a + 1, counts[c + 2]):
                r = abs(positions[order[a]] - positions[order[b]])
                if r < cutoff:
                    energy += (1.0 - r / cutoff) ** 2
    return energy


def _lattice(rng, n):
    grid = np.stack(np.meshgrid(*3 * [np.arange(n)], indexing='ij'), -1).reshape(-1, 3)
    return 1.2 * grid + rng.uniform(-0.1, 0.1, grid.shape)


KERNELS = (
    Kernel(nbody_energy, lambda rng, n: (rng.normal(size=(n, 3)), rng.uniform(0.5, 1.0, n), 0.01), (5,), (400,), (0, 1)),
    Kernel(nbody_steps, lambda rng, n, steps: (rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), rng.uniform(0.5, 1.0, n), 0.01,
                                               steps), (4, 2), (5, 5000), (0, 1, 2)),
    Kernel(lennard_jones, lambda rng, n: (_lattice(rng, n), 1.2 * n, {'epsilon': 1.0, 'sigma': 1.0, 'cutoff': 2.0}), (2,), (7,),
           (0,)),
    Kernel(lj_forces, lambda rng, n: (_lattice(rng, n), 2.0), (2,), (7,)),
    Kernel(deposit, lambda rng, n, cells: (rng.uniform(size=n), rng.normal(size=n), cells), (9, 4), (500_000, 1000), (0, 1)),
    Kernel(pic_step, lambda rng, n, cells: (rng.uniform(size=n), rng.normal(size=n), cells, 0.01, 3), (9, 4), (50_000, 64),
           (0, 1)),
    Kernel(cell_list, lambda rng, n, cells: (rng.uniform(size=n), 1.0 / (cells + 0.5)), (12, 4), (20_000, 500)),
)
