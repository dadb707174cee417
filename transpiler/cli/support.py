"""What generated functions need of the module's own names: imports and constants, copied into the output."""
from __future__ import annotations

import ast
import types
from dataclasses import dataclass, field

import gast

from transpiler.cli.module import Module
from transpiler.errors import TranspileError
from transpiler.source.capture import MISSING
from transpiler.source.module import ModuleValue

RUNNING = frozenset({'eval', 'exec', 'compile', '__import__', 'input', 'breakpoint'})  # builtins that run what texts say


@dataclass
class Support:
    """Collects the imports and constants of `module` that texts refer to, in an order in which they can be run."""

    module: Module
    imports: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)

    def texts(self) -> list[str]:
        return ['\n'.join([*self.imports.values(), *self.constants.values()]) + '\n'] if self.imports or self.constants else []

    def constant(self, name: str) -> None:
        """Copy the module's assignment to `name`, and before it those that it refers to.

        >>> support = Support(Module('import numpy as np\\nn = 3\\ngrid = np.linspace(0, 1, n)', 'm.py'))
        >>> support.constant('grid')
        >>> print(support.texts()[0], end='')
        import numpy as np
        n = 3
        grid = np.linspace(0, 1, n)
        """
        if name in self.constants or name in self.imports:
            return
        match self.module.lookup(name):
            case ModuleValue(text=text):
                self._refer(ast.parse(text, mode='eval'), name)
                self.constants[name] = f'{name} = {text}'
            case types.ModuleType() as library:
                self.imports[name] = f'import {library.__name__}' + f' as {name}' * (name != library.__name__)
            case value if value is MISSING or name in RUNNING or getattr(value, '__module__', None) != 'builtins':
                raise TranspileError(f'`{name}` in {self.module.file} cannot be copied into the output',
                                     why='the module would have to be run to find out its value',
                                     instead='make it a constant written with numbers and NumPy alone, or pass it as an argument')

    def expression(self, node: gast.expr) -> str:
        """The text of a default, with what it refers to."""
        plain = gast.gast_to_ast(node)
        self._refer(plain, 'a default')
        return ast.unparse(plain)

    def _refer(self, tree: ast.AST, owner: str) -> None:
        bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id not in bound and node.id != owner:
                self.module.refuse_rebound(node.id, owner)
                self.constant(node.id)
