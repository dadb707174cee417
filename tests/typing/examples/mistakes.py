"""Calls that type checkers refuse: each line that ends in `# wrong`, and no other."""
import transpiler as tp


def energy(x: float, n: int = 2) -> float:
    return x ** n


def never_run() -> None:
    tp.grad(energy)('a')  # wrong
    tp.grad(energy)()  # wrong
    tp.grad(energy)(2.0, m=3)  # wrong
    tp.grad(energy, argnums='x')  # wrong
    tp.grad(energy, argnum=0)  # wrong
    tp.grad(3.0)  # wrong
    tp.grad(has_aux=1.5)  # wrong
    tp.grad(1)  # wrong
    tp.value_and_grad(energy)(2.0).shape  # wrong
    tp.value_and_grad(energy)(2.0)[0].shape  # wrong
    value, gradient, aux = tp.value_and_grad(energy)(2.0)  # wrong
    tp.jit(energy, parallell=False)  # wrong
    tp.jit(energy)(2.0).shape  # wrong
    tp.jit(energy).sources  # wrong
    tp.vmap(energy, axis_size='many')  # wrong
    tp.jvp(energy, (2.0,))  # wrong
    tp.jvp(energy, 2.0, 1.0)  # wrong
    tp.vjp(energy, 2.0, has_aux=True)  # wrong
    tp.vjp(energy, 2.0)[1].sources  # wrong
    tp.hvp(energy, (2.0,))  # wrong
    tp.checkpoint(energy)('a')  # wrong
    tp.checkpoint(energy, snapshots=3)  # wrong
    tp.checkpointed(range(10))  # wrong
    tp.explain(energy, 'a')  # wrong
    tp.from_source(energy)  # wrong
    tp.testing.check_grads(energy, 2.0)  # wrong
    tp.primitive(energy, results='x')  # wrong
    tp.primitive(energy)('a')  # wrong
    tp.custom_vjp(energy).defvjp(energy, energy)  # wrong
    tp.custom_jvp(energy)(2.0, 3, 4)  # wrong


class Model:
    @tp.grad
    def loss(self, x: float) -> float:
        return x


def never_run_either() -> None:
    @tp.jit(static_argnums='x')  # wrong
    def decorated(x: float) -> float:
        return x

    Model().loss('a')  # wrong
    Model().loss(1.0, 2.0)  # wrong
