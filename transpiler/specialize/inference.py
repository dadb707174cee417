"""The types of what primitives give: NumPy is asked, for each kind that numbers may be of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from transpiler.errors import UnsupportedFunction
from transpiler.specialize.agreement import inferred
from transpiler.specialize.literals import described, shown
from transpiler.specialize.mixtures import is_mixed, without_kinds
from transpiler.specialize.sizes import SizeFacts
from transpiler.values.probe import infer
from transpiler.values.types import Type


class Inference(SizeFacts):
    """Types of results."""

    def infer(self, name: str, primitive: Any, types, statics: dict[str, Any], atoms: Sequence[gast.expr] = ()) -> Type:
        """The type of the result, which must not depend on the kinds that numbers may be of; `atoms` are the operands."""
        if not is_mixed(types) or self.derives:
            return self._inferred(name, primitive, without_kinds(types), statics)
        values = [atom.value if isinstance(atom, gast.Constant) else None for atom in atoms or types]
        return inferred(name, types, values, lambda case: self._inferred(name, primitive, case, statics), self.origin)

    def _inferred(self, name: str, primitive: Any, types, statics: dict[str, Any]) -> Type:
        """The type of the result; equalities of sizes that NumPy itself demands are remembered."""
        try:
            type_, equalities = infer(primitive, [self.resolve(t) for t in types], statics, self.letters.value)
        except (ValueError, TypeError, IndexError, np.linalg.LinAlgError) as error:
            operands = ', '.join(map(described, types))
            refusal = UnsupportedFunction(
                f'`{shown(name)}` does not take ({operands})', self.origin, why=str(error).splitlines()[0])
            refusal.certain = True
            raise refusal from error
        self.equate(equalities)
        return type_
