"""Storage: residuals, rematerialization and checkpoints between the two sweeps."""
from transpiler.deferred import deferred

__getattr__ = deferred(__name__, ('min_cut',))     # which imports SciPy
