"""Numerical code as it is really written, by families: what is differentiated, tested and timed as a collection."""
from benchmarks.kernels import (
    dynamic,
    factorisations,
    filters,
    finance,
    integrators,
    learning,
    linear_algebra,
    particles,
    recursion,
    sparse,
    statistics,
    stencils,
    sweeps,
)
from benchmarks.kernels.record import Kernel

FAMILIES = (stencils, sweeps, factorisations, linear_algebra, integrators, filters, dynamic, sparse, particles, recursion,
            finance, learning, statistics)
KERNELS: dict[str, Kernel] = {kernel.name: kernel for family in FAMILIES for kernel in family.KERNELS}
