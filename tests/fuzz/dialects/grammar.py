"""Grammar: random text from a table of weighted forms, in which `$symbol` stands for a form of that symbol."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

Forms = Sequence[str | tuple[float, str]]  # a form alone has weight 1
SYMBOL = re.compile(r'\$(\w+)')
BLOCK: Forms = ('$statement', (2, '$statement\n$block'), (1, '$statement\n$statement\n$block'))


class Grammar:
    """The forms of each symbol, weighed, and how deeply the shallowest text of each form is nested.

    >>> grammar = Grammar({'test': ['$sum > 0'], 'sum': [(3, '$sum + x'), 'x']})
    >>> grammar.text('test', Random(5), depth=4)
    'x + x > 0'
    """

    def __init__(self, table: Mapping[str, Forms]):
        weighed = lambda form: (1.0, form) if isinstance(form, str) else form
        self.forms = {symbol: [*map(weighed, forms)] for symbol, forms in table.items()}
        self.heights = self._least_heights()

    def _least_heights(self) -> dict[str, float]:
        """By symbol, the height of its shallowest text: a fixpoint from below."""
        heights = dict.fromkeys(self.forms, float('inf'))
        while True:
            found = {symbol: min(self._height(form, heights) for _, form in forms) for symbol, forms in self.forms.items()}
            if found == heights:
                return heights
            heights = found

    @staticmethod
    def _height(form: str, heights: Mapping[str, float]) -> float:
        return max((1 + heights[symbol] for symbol in SYMBOL.findall(form)), default=0)

    def text(self, symbol: str, chance: Random, depth: int) -> str:
        """A text of the symbol nested so deeply at most, or as little as its forms allow; blocks keep their indentation."""
        fitting = [(weight, form) for weight, form in self.forms[symbol] if self._height(form, self.heights) <= depth]
        if not fitting:
            fitting = [min(self.forms[symbol], key=lambda pair: self._height(pair[1], self.heights))]
        (form,) = chance.choices([form for _, form in fitting], [weight for weight, _ in fitting])
        lines = []
        for line in form.split('\n'):
            margin = '\n' + line[:len(line) - len(line.lstrip())]
            lines.append(SYMBOL.sub(lambda found: self.text(found[1], chance, depth - 1).replace('\n', margin), line))
        return '\n'.join(lines)

    def block(self, chance: Random, *depths: int) -> list[str]:
        """The lines of a block that is nested as deeply as one of `depths` at most."""
        return self.text('block', chance, chance.choice(depths)).split('\n')


def body(lines: Sequence[str]) -> str:
    """The text of a function's body."""
    return ''.join(f'    {line}\n' for line in lines)
