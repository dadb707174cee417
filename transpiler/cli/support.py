"""What generated functions need of the module's own names: imports and constants, copied into the output."""
from __future__ import annotations

import ast
import builtins
import re
import types
from dataclasses import dataclass, field

import gast

from transpiler.cli.module import Module
from transpiler.core.naming import unique
from transpiler.errors import TranspileError
from transpiler.source.reading.capture import MISSING
from transpiler.source.reading.module import ModuleValue

RUNNING = frozenset({'eval', 'exec', 'compile', '__import__', 'input', 'breakpoint',  # builtins that run what texts say,
                     'getattr', 'globals', 'locals', 'vars'})  # or find what does


@dataclass
class Support:
    """Collects the imports and constants of `module` that texts refer to, in an order in which they can be run."""

    module: Module
    imports: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)

    def texts(self) -> list[str]:
        return ['\n'.join([*self.imports.values(), *self.constants.values()]) + '\n'] if self.imports or self.constants else []

    def constant(self, name: str) -> str:
        """Copy the module's assignment to `name`, and before it those that it refers to; its name in the output.

        >>> support = Support(Module('import numpy as np\\nlen = 3\\ngrid = np.linspace(0, 1, len)', 'm.py'))
        >>> support.constant('grid')
        'grid'
        >>> print(support.texts()[0], end='')
        import numpy as np
        len_1 = 3
        grid = np.linspace(0, 1, len_1)
        """
        own = self._own(name)
        if own in self.constants or own in self.imports:
            return own
        match self.module.lookup(name):
            case ModuleValue(text=text):
                self.constants[own] = f'{own} = {self._written(ast.parse(text, mode="eval"), name)}'
                return own
            case types.ModuleType() as library:
                self.imports[own] = f'import {library.__name__}' + f' as {own}' * (own != library.__name__)
                return own
            case value if value is MISSING or name in RUNNING or getattr(value, '__module__', None) != 'builtins':
                raise self._refused(name)
        return name

    def expression(self, node: gast.expr) -> str:
        """The text of a default, with what it refers to."""
        return self._written(gast.gast_to_ast(node), 'a default')

    def _own(self, name: str) -> str:
        """The name that something of the module has in the output, where it must hide no builtin."""
        hides = name in dir(builtins) and self.module.lookup(name) is not getattr(builtins, name)
        return unique(name, {*dir(builtins), *re.findall(r'\w+', self.module.text)}) if hides else name

    def _written(self, tree: ast.AST, owner: str) -> str:
        """The text of an expression, after what it refers to."""
        nodes = list(ast.walk(tree))
        bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        for node in nodes:
            if isinstance(node, ast.Name) and node.id not in bound and node.id != owner:
                self.module.refuse_rebound(node.id, owner)
                node.id = self.constant(node.id)
            elif isinstance(node, ast.Attribute) and node.attr.startswith('__'):     # `__builtins__` is one
                raise self._refused(ast.unparse(node))
        return ast.unparse(tree)

    def _refused(self, what: str) -> TranspileError:
        return TranspileError(f'`{what}` in {self.module.file} cannot be copied into the output',
                              why='the module would have to be run to find out its value',
                              instead='make it a constant written with numbers and NumPy alone, or pass it as an argument')
