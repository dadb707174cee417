"""The evaluator is made of components: each is small, none is another's base, and what the tables name is there."""
from __future__ import annotations

import inspect

import gast
import numpy as np
import pytest

from transpiler.core.variables import Var
from transpiler.specialize.components import COMPONENTS, Components
from transpiler.specialize.domain.bindings import Known, Ref
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import EXPRESSIONS, METHODS, PRIMITIVES, STATEMENTS
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.sequences import List
from transpiler.values.types import INT, Array, Scalar

LARGE = 30


def functions_of(kind: type) -> dict[str, object]:
    return {name: member for name, member in vars(kind).items() if inspect.isfunction(member)}


@pytest.mark.parametrize('kind', [Evaluator, *COMPONENTS.values()], ids=lambda kind: kind.__name__)
def test_each_is_small_and_inherits_nothing(kind):
    assert len(functions_of(kind)) <= LARGE
    assert kind.__mro__[1:] in ((Components, object), (Component, object))


def test_no_component_keeps_state_of_another():
    fields = [name for kind in COMPONENTS.values() for name in vars(kind).get('__annotations__', ())]
    assert len(fields) == len(set(fields))


def test_tables_name_methods_of_components():
    for table in (EXPRESSIONS, STATEMENTS, METHODS, PRIMITIVES):
        for kind, method in table.values():
            assert kind in COMPONENTS.values() and callable(getattr(kind, method))


def test_all_nodes_of_the_language_are_evaluated():
    assert {gast.Name, gast.Constant, gast.BinOp, gast.Call, gast.Subscript, gast.IfExp} <= EXPRESSIONS.keys()
    assert {gast.Assign, gast.AugAssign, gast.For, gast.While, gast.If, gast.Raise} <= STATEMENTS.keys()


def test_heap():
    ev = Evaluator()
    held = ev.heap.held(List((Known(1),)))
    assert isinstance(held, Ref) and ev.heap.contents == {held.cell: List((Known(1),))}
    ev.heap.change(ev.heap.current(held), (Known(2),))
    assert ev.heap.value_now(held) == List((Known(2),))
    ev.heap.freeze({held.cell}, 'it is a default')
    with pytest.raises(Exception, match='is changed here'):
        ev.heap.change(ev.heap.current(held), ())


def test_inside():
    ev = Evaluator()
    held = ev.heap.held(List(()))
    inner = ev.inside(ev.builder.inner())
    inner.heap.set_apart('it is of the function around')
    other = inner.heap.held(List(()))
    assert other.cell in inner.heap.contents and other.cell not in ev.heap.contents and held.cell in inner.heap.frozen
    assert inner.growing.ev == inner and inner.functions is ev.functions


def test_operations_fold_what_is_known_and_write_the_rest():
    ev = Evaluator()
    assert ev.operations.binary(gast.Add, Known(1), Known(2)) == Known(3)
    x = ev.builder.fresh('x', Array(np.dtype(float), (None,)))
    y = ev.operations.binary(gast.Mult, x, Known(2.0))
    assert isinstance(y, Var) and len(ev.builder.block) == 1


def test_tapes():
    ev = Evaluator()
    tape = ev.tapes.new_list()
    ev.tapes.push_tape(tape, Known(1.0))
    assert ev.tapes.pop_tape(tape).type == Scalar(np.dtype(float), weak=True) or ev.tapes.list_type(tape.name).element is not None


def test_numbers():
    ev = Evaluator()
    n = ev.builder.fresh('n', INT)
    assert not ev.numbers.is_natural(n)
    ev.builder.natural.add(n.name)
    assert ev.numbers.is_natural(n)


def test_statements():
    ev, frame = Evaluator(), Frame(None, {'a': Known(2)})
    assert ev.statements.execute(frame, gast.parse('b = a * 3\nc, d = b, a').body) is False
    assert (frame.env['b'], frame.env['c'], frame.env['d']) == (Known(6), Known(6), Known(2))
