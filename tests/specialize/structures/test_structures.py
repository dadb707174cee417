"""Containers: each kind is a class with the fields that it needs, and answers what the evaluator asks."""
from __future__ import annotations

import ast
import dataclasses
import itertools
from collections import deque
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from transpiler.core.language import Leaf, Node, Static
from transpiler.specialize import structures
from transpiler.specialize.domain.bindings import Known, alike, binding_of, fold, same_shape, tree_of
from transpiler.specialize.structures.alternatives import EitherNumber, Optional
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import (
    Enumerate,
    Flat,
    Generator,
    Islice,
    NdEnumerate,
    Product,
    Reversed,
    Zip,
)
from transpiler.specialize.structures.mappings import Dict, DictView, HeldView, Shown
from transpiler.specialize.structures.objects import Context, Object, Super
from transpiler.specialize.structures.ranges import Checkpointed, Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text

ONE, TWO, THREE = map(Known, (1, 2, 3))
SOURCES = sorted((Path(tp.__file__).parent).rglob('*.py'))
KINDS = Container.__subclasses__()


class Spring:
    """A class of a program."""


EXAMPLES = [
    Tuple((ONE, TWO)), DictView((ONE, TWO), 'keys', Shown(HeldView((ONE,), 'keys'), ('a', 'b'))), List((ONE, TWO), cell=3),
    Dict((ONE, TWO), ('a', 'b'), cell=3), HeldView((ONE,), 'values'), Object((ONE,), ('k',), Spring),
    Object((ONE,), ('k',), Spring, mutable=True, cell=4), Super((ONE,), Spring), Context(()), Range((ONE, TWO, THREE)),
    Slice((ONE, TWO, THREE)), Checkpointed((ONE, TWO)), Zip((ONE, TWO)), Enumerate((ONE, TWO)), Reversed((ONE,)),
    Islice((ONE, TWO, THREE, ONE)), Product((ONE, TWO)), NdEnumerate((ONE, TWO)), Flat((ONE, TWO)),
    Generator((ONE,), 'late', True),
    DynamicList((ONE,), TWO, cell=5), ArrayList((ONE,), 2, float), Text((ONE, TWO), (None, (-1, ''))), Optional((ONE, TWO)),
    EitherNumber((ONE, TWO, THREE), (('a',), ('b',))),
]


def each(examples):
    return pytest.mark.parametrize('container', examples, ids=lambda one: type(one).__name__)


def test_every_kind_has_an_example():
    assert {type(one) for one in EXAMPLES} == set(KINDS) and len(KINDS) > 20


@pytest.mark.parametrize('kind', KINDS, ids=lambda kind: kind.__name__)
def test_a_kind_is_a_frozen_class_of_its_own(kind):
    assert kind.__mro__[1:] == (Container, object) and kind.__dataclass_params__.frozen
    assert vars(kind)['__doc__'] and kind.__module__.startswith(structures.__name__)
    assert not hasattr(kind, 'kind')


@each(EXAMPLES)
def test_labels_are_all_that_tells_two_of_a_kind_apart(container):
    own = {field.name for field in dataclasses.fields(container)} - {'items', 'cell', 'shows'}
    assert len(container.labels) == len(own)
    new = container.anew(container.items)
    assert type(new) is type(container) and new.labels == container.labels
    assert new.cell is None and getattr(new, 'shows', None) is None
    assert alike(container, new) and same_shape(container, new)


def test_kinds_differ():
    for left, right in itertools.combinations(EXAMPLES, 2):
        assert not alike(left, right), (left, right)


@each([one for one in EXAMPLES if one.cell is not None])
def test_what_can_change_keeps_its_cell_where_its_items_are_visited(container):
    assert container.mutable
    assert fold(container, lambda leaf: leaf) == container
    assert container.holding((TWO,), ('c',)).items == (TWO,) and container.holding((TWO,), ('c',)).cell is None


def test_keys_are_put_beside_new_items():
    assert Dict((ONE,), ('a',)).holding((ONE, TWO), ('a', 'b')) == Dict((ONE, TWO), ('a', 'b'))
    changed = Object((ONE,), ('k',), Spring, mutable=True, cell=1).holding((ONE, TWO), ('k', 'm'))
    assert changed == Object((ONE, TWO), ('k', 'm'), Spring, mutable=True) and changed.item('m') == TWO
    assert List((ONE,)).holding((TWO,), ('ignored',)) == List((TWO,))


@each([one for one in EXAMPLES if one.items])
def test_trees_and_back(container):
    """A container is the same when it comes back from a core program; there it is in no cell, and can change no more."""
    tree = tree_of(container)
    plain = isinstance(container, (Tuple, List, Dict, Object))
    assert isinstance(tree, Node) and (tree.kind == 'other') == (not plain)
    back = binding_of(tree, lambda name: Leaf(name))
    expected = container.anew(container.items)
    if isinstance(container, Object):
        expected = Object(container.items, container.keys, container.type)
    assert back == expected and tree.children == tuple(Static(item.value) for item in container.items)


def test_only_kinds_are_made():
    """Nobody makes a container of no kind, and nobody asks for a kind by its name."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id='Container')):
                    raise AssertionError(f'{path.name}:{node.lineno} makes a container of no kind')
                case ast.MatchClass(cls=ast.Name(id='Container'), patterns=[_, *_]):
                    raise AssertionError(f'{path.name}:{node.lineno} asks a container for its parts by position')


CLASSES = [(zip, lambda x: isinstance(zip(x, x), zip)), (tuple, lambda x: isinstance((x, x), tuple)),
           (enumerate, lambda x: isinstance(enumerate(x), enumerate)), (list, lambda x: isinstance([x, x], list)),
           (tuple, lambda x: not isinstance({'x': x}.keys(), tuple)), (set, lambda x: type({1}) is set),
           (frozenset, lambda x: not isinstance({1}, frozenset)), (list, lambda x: not isinstance(deque([x]), list)),
           (deque, lambda x: isinstance(deque([x]), deque)), (str, lambda x: '%s' % {'a': 1}.keys() == "dict_keys(['a'])"),
           (str, lambda x: '%s' % deque([1]) == 'deque([1])'),
           (dict, lambda x: isinstance({'x': x}, dict)), (slice, lambda x: isinstance(slice(1, 2), slice))]


@pytest.mark.parametrize(('python', 'asks'), CLASSES, ids=lambda one: getattr(one, '__name__', ''))
def test_a_program_may_ask_for_the_class_of_a_container(python, asks):
    def f(x):
        return x.sum() if asks(x) else x[0]

    assert asks(np.ones(3))
    np.testing.assert_array_equal(tp.grad(f)(np.array([1.0, 2.0, 3.0])), np.ones(3))
