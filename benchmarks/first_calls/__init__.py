"""Programs whose first gradient, or Hessian, somebody waits for: what that takes is measured in a fresh process for each."""
from benchmarks.first_calls import (
    collected,
    curvature,
    filtering,
    fluids,
    grids,
    models,
    navier_stokes,
    networks,
    physics,
    robots,
    vehicle,
)
from benchmarks.first_calls.record import Program

FAMILIES = (collected, grids, fluids, navier_stokes, filtering, robots, vehicle, networks, physics, models, curvature)
PROGRAMS: dict[str, Program] = {program.name: program for family in FAMILIES for program in family.PROGRAMS}
