"""The components of the evaluator, by the names under which it has them."""

from __future__ import annotations

from typing import get_type_hints

from transpiler.specialize.calls.black_boxes import Boxes
from transpiler.specialize.calls.core_calls import ProgramCalls
from transpiler.specialize.calls.custom_rule_checks import Rules
from transpiler.specialize.calls.custom_rules import Customs
from transpiler.specialize.calls.dispatch import Calls
from transpiler.specialize.calls.exceptions import Failures
from transpiler.specialize.calls.inlining import Inlining
from transpiler.specialize.calls.inplace_calls import InPlace
from transpiler.specialize.calls.recursion import Recursion
from transpiler.specialize.calls.recursive_results import RecursiveResults
from transpiler.specialize.calls.scopes import Scopes
from transpiler.specialize.calls.signatures import Parameters
from transpiler.specialize.containers.array_lists import Rows
from transpiler.specialize.containers.dict_methods import DictMethods
from transpiler.specialize.containers.dynamic_elements import Elements
from transpiler.specialize.containers.dynamic_lists import Growing
from transpiler.specialize.containers.heap import Heap
from transpiler.specialize.containers.list_arrays import ListArrays
from transpiler.specialize.containers.lookup_tables import Lookups
from transpiler.specialize.containers.methods import Changes
from transpiler.specialize.containers.placeholder_lists import Fillers
from transpiler.specialize.containers.sets import Sets
from transpiler.specialize.containers.tapes import Lists
from transpiler.specialize.control.augmented_assignment import Updates
from transpiler.specialize.control.branches import Branches
from transpiler.specialize.control.definedness import Presence
from transpiler.specialize.control.distribution import Distribution
from transpiler.specialize.control.joins import Joins
from transpiler.specialize.control.list_rebinding import Rebinding
from transpiler.specialize.control.loop_fixpoint import Iterations
from transpiler.specialize.control.loop_state import Places
from transpiler.specialize.control.loops import Loops
from transpiler.specialize.control.nested_lists import Tables
from transpiler.specialize.control.peeling import Peeling
from transpiler.specialize.control.statements import Statements
from transpiler.specialize.control.while_loops import Whiles
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.expressions.boolean import Deciding
from transpiler.specialize.expressions.comprehensions import Comprehensions
from transpiler.specialize.expressions.descriptions import Descriptions
from transpiler.specialize.expressions.evaluation import Expressions
from transpiler.specialize.expressions.index_types import Indices
from transpiler.specialize.expressions.inference import Inference
from transpiler.specialize.expressions.integer_facts import Numbers
from transpiler.specialize.expressions.operands import Operands
from transpiler.specialize.expressions.primitives import Operations
from transpiler.specialize.expressions.selections import Selection
from transpiler.specialize.expressions.size_facts import SizeFacts
from transpiler.specialize.expressions.subscripts import Indexing
from transpiler.specialize.iterables.interleaving import Interleaving
from transpiler.specialize.kinds.whole_numbers import WholeNumbers
from transpiler.specialize.objects.attributes import Attributes
from transpiler.specialize.objects.foreign import Foreign
from transpiler.specialize.objects.free_variables import FreeNames
from transpiler.specialize.objects.instances import Objects
from transpiler.specialize.objects.special_methods import Overloads
from transpiler.specialize.objects.texts import Texts


class Components:
    """What each is asked by the others: `ev.heap`, `ev.loops`."""

    attributes: Attributes
    boxes: Boxes
    branches: Branches
    calls: Calls
    captures: FreeNames
    changes: Changes
    comprehensions: Comprehensions
    customs: Customs
    deciding: Deciding
    descriptions: Descriptions
    dict_methods: DictMethods
    distribution: Distribution
    elements: Elements
    expressions: Expressions
    failures: Failures
    foreign: Foreign
    growing: Growing
    heap: Heap
    indexing: Indexing
    indices: Indices
    inference: Inference
    inlining: Inlining
    inplace: InPlace
    interleaving: Interleaving
    joins: Joins
    list_arrays: ListArrays
    lookups: Lookups
    loops: Loops
    numbers: Numbers
    objects: Objects
    operands: Operands
    operations: Operations
    overloads: Overloads
    parameters: Parameters
    peeling: Peeling
    placeholders: Fillers
    places: Places
    presence: Presence
    programs: ProgramCalls
    rebinding: Rebinding
    recursion: Recursion
    recursive_results: RecursiveResults
    rows: Rows
    rules: Rules
    scopes: Scopes
    selections: Selection
    sets: Sets
    sizes: SizeFacts
    statements: Statements
    tables: Tables
    tapes: Lists
    texts: Texts
    iterations: Iterations
    updates: Updates
    whiles: Whiles
    wholes: WholeNumbers


COMPONENTS: dict[str, type[Component]] = get_type_hints(Components)
