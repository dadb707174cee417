"""The components of the evaluator, by the names under which it has them."""

from __future__ import annotations

from typing import get_type_hints

from transpiler.specialize.attributes import Attributes
from transpiler.specialize.boxes import Boxes
from transpiler.specialize.calls import Calls
from transpiler.specialize.captures import FreeNames
from transpiler.specialize.changes import Changes
from transpiler.specialize.component import Component
from transpiler.specialize.comprehensions import Comprehensions
from transpiler.specialize.control import Branches
from transpiler.specialize.customs import Customs
from transpiler.specialize.deciding import Deciding
from transpiler.specialize.descriptions import Descriptions
from transpiler.specialize.dict_methods import DictMethods
from transpiler.specialize.distribution import Distribution
from transpiler.specialize.elements import Elements
from transpiler.specialize.expressions import Expressions
from transpiler.specialize.failures import Failures
from transpiler.specialize.fillers import Fillers
from transpiler.specialize.foreign import Foreign
from transpiler.specialize.given import Rules
from transpiler.specialize.growing import Growing
from transpiler.specialize.heap import Heap
from transpiler.specialize.indexing import Indexing
from transpiler.specialize.indices import Indices
from transpiler.specialize.inference import Inference
from transpiler.specialize.inlining import Inlining
from transpiler.specialize.inplace import InPlace
from transpiler.specialize.joins import Joins
from transpiler.specialize.list_arrays import ListArrays
from transpiler.specialize.lookups import Lookups
from transpiler.specialize.loops import Loops
from transpiler.specialize.numbers import Numbers
from transpiler.specialize.objects import Objects
from transpiler.specialize.opening import ProgramCalls
from transpiler.specialize.operands import Operands
from transpiler.specialize.operations import Operations
from transpiler.specialize.overloads import Overloads
from transpiler.specialize.parameters import Parameters
from transpiler.specialize.peeling import Peeling
from transpiler.specialize.places import Places
from transpiler.specialize.presence import Presence
from transpiler.specialize.rebinding import Rebinding
from transpiler.specialize.recursion import Recursion
from transpiler.specialize.recursive_results import RecursiveResults
from transpiler.specialize.rows import Rows
from transpiler.specialize.scopes import Scopes
from transpiler.specialize.selections import Selection
from transpiler.specialize.sizes import SizeFacts
from transpiler.specialize.statements import Statements
from transpiler.specialize.tables import Tables
from transpiler.specialize.tapes import Lists
from transpiler.specialize.turns import Turns
from transpiler.specialize.updates import Updates
from transpiler.specialize.whiles import Whiles


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
    sizes: SizeFacts
    statements: Statements
    tables: Tables
    tapes: Lists
    turns: Turns
    updates: Updates
    whiles: Whiles


COMPONENTS: dict[str, type[Component]] = get_type_hints(Components)
