"""Breaking a long line of generated code inside its brackets."""
from __future__ import annotations

import io
import tokenize

WIDTH = 110
OPERATORS = frozenset({'+', '-', '*', '/', '@', 'and', 'or', 'if', 'else', '==', '<', '>', '<=', '>='})


def wrap(line: str, width: int = WIDTH) -> list[str]:
    """Split one simple statement into lines of at most `width` columns where its brackets allow.

    A line without an outer bracket to break in gets one around the right-hand side.

    >>> for part in wrap('y = first_term * weight + second_term * weight', 32): print(part)
    y = (first_term * weight
         + second_term * weight)
    >>> for part in wrap('y = np.stack([first, second, third])', 26): print(part)
    y = np.stack([first,
                  second,
                  third])
    """
    if len(line) <= width or line.rstrip().endswith(':'):
        return [line]
    breaks = _breaks(line)
    if not any(depth == 0 for _, depth in breaks):
        return _fill(line, breaks, width)
    for mark in (' = ', ' += ', ' -= ', 'return '):
        head, found, tail = line.partition(mark)
        if found and '(' not in head:
            wrapped = f'{head}{found}({tail})'
            return _fill(wrapped, _breaks(wrapped), width)
    return [line]


def _breaks(line: str) -> list[tuple[int, int]]:
    """Columns where a new line may begin, with their bracket depth: after a comma, before an operator."""
    found, depth, comma, operand = [], 0, False, False
    for token in tokenize.generate_tokens(io.StringIO(line.strip() + '\n').readline):
        column = token.start[1] + len(line) - len(line.lstrip())
        if comma and token.string not in ')]}':
            found.append((column, depth))
        comma = token.string == ','
        if token.string in OPERATORS and operand and line[column - 1] == ' ':
            found.append((column, depth))
        if token.string in '([{' and token.string:
            depth += 1
        elif token.string in ')]}' and token.string:
            depth -= 1
        operand = token.type in (tokenize.NAME, tokenize.NUMBER, tokenize.STRING) and token.string not in OPERATORS \
            or token.string in (')', ']', '}')
    return found


def _fill(line: str, breaks: list[tuple[int, int]], width: int) -> list[str]:
    """Break at the shallowest depth first; a piece that is still too long is broken deeper."""
    levels = sorted({depth for _, depth in breaks if depth > 0})
    if len(line) <= width or not levels:
        return [line]
    level = levels[0]
    opening = _opening(line, breaks, level)
    columns = [column for column, depth in breaks if depth == level and _opening(line, [(column, depth)], level) == opening]
    pieces = [line[a:b].rstrip() for a, b in zip([0, *columns], [*columns, len(line)])]
    indent = ' ' * (opening + 1)
    lines = [pieces[0], *(indent + piece for piece in pieces[1:])]
    return _join(lines, width) if all(len(text) <= width for text in lines) else lines


def _join(lines: list[str], width: int) -> list[str]:
    """Operators start their own lines only where the width asks for it: pieces are filled greedily."""
    if any(text.lstrip()[:1].isalnum() for text in lines[1:]) and len(lines) <= 4:
        return lines
    joined = [lines[0]]
    for text in lines[1:]:
        together = f'{joined[-1]} {text.lstrip()}'
        if len(together) <= width:
            joined[-1] = together
        else:
            joined.append(text)
    return joined


def _opening(line: str, breaks: list[tuple[int, int]], level: int) -> int:
    """The column of the bracket that encloses the first break at this level."""
    column = next(c for c, depth in breaks if depth == level)
    depth = 0
    for position in range(column - 1, -1, -1):
        if line[position] in ')]}':
            depth += 1
        elif line[position] in '([{':
            if depth == 0:
                return position
            depth -= 1
    return 0
