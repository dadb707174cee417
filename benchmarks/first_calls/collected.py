"""Programs of other benchmarks of ours."""
from benchmarks.contenders.ours import ROWS, Row, gauss_seidel, network, pendulum, weighted_norm
from benchmarks.first_calls.record import Program
from benchmarks.kernels import KERNELS
from benchmarks.kernels.record import Kernel

SEEDS = {weighted_norm: 'norm_grad', network: 'network_value_and_grad', pendulum: 'pendulum_grad',
         gauss_seidel: 'gauss_seidel_grad'}
LOOPS = 'heat_3d', 'horizontal_diffusion', 'correlation', 'gramschmidt', 'lu', 'ctc'


def of_row(function, row: Row) -> Program:
    return Program(function, lambda rng: row.arguments(rng, *row.small))


def of_kernel(kernel: Kernel) -> Program:
    return Program(kernel.function, lambda rng: kernel.arguments(rng, *kernel.small), kernel.argnums)


PROGRAMS = (*(of_row(function, ROWS[name]) for function, name in SEEDS.items()), *(of_kernel(KERNELS[name]) for name in LOOPS))
