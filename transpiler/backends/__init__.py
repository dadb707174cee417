"""Running generated code: as Python, or compiled by Numba, which is imported when something is first compiled."""
from typing import TYPE_CHECKING

from transpiler.deferred import deferred

if TYPE_CHECKING:
    from transpiler.backends import guarded as guarded
    from transpiler.backends import handlers as handlers
    from transpiler.backends import leaving as leaving
    from transpiler.backends import lines as lines
    from transpiler.backends import numba_cpu as numba_cpu
    from transpiler.backends import timing as timing

__getattr__ = deferred(__name__, ('guarded', 'handlers', 'leaving', 'lines', 'numba_cpu', 'timing'))
