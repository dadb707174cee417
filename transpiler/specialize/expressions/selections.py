"""A number that is one of two, by a test that shows at run time."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.literals import as_kind
from transpiler.specialize.evaluation.component import Component
from transpiler.values.joining import join_types
from transpiler.values.types import BOOL, Scalar, Type


class Selection(Component):
    """A number that is one of two, by a test that shows at run time."""

    def select(self, test: Binding, chosen: Binding, other: Binding) -> Binding:
        """One of two numbers, both computed: `chosen if test else other`."""
        if isinstance(test, Known) or chosen == other:
            return chosen if chosen == other or test.value else other
        (condition, _), *both = map(self.ev.operand, (test, chosen, other))
        self.ev.inference.infer('numpy.where', np.where, (BOOL, *(type_ for _, type_ in both)), {})
        type_ = join_types(*(type_ for _, type_ in both))
        left, right = (self._of_dtype(node, own, type_) for node, own in both)
        return self.builder.define('choice', gast.IfExp(test=condition, body=left, orelse=right), type_)

    def _of_dtype(self, node: gast.expr, own: Type, type_: Type) -> gast.expr:
        """An atom as `np.where` gives it: beside a small dtype of NumPy's, Python's number is of that dtype."""
        ours = self.ev.ours or self.derives or own.dtype == np.bool_
        if ours or not isinstance(type_, Scalar) or type_.weak or own.dtype == type_.dtype:
            return as_kind(node, type_)
        return build.name(self.builder.define('c', build.call(f'numpy.{type_.dtype}', node), type_).name)
