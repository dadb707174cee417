"""A function in LLVM's text: its blocks, what they branch to, and its loops."""
from __future__ import annotations

import re
from collections.abc import Iterator

NAME = r'%(?:"[^"]*"|[-\w.$]+)'
LABEL = re.compile(r'("[^"]*"|[-\w.$]+):')
TARGET = re.compile(rf'label ({NAME})')
PHI = re.compile(rf'  ({NAME}) = phi (.*?) (\[ .* \])$')
ENTRY = re.compile(rf'\[ (.*?), ({NAME}) \]')


class Phi:
    """What a block takes a value from: one, or none, for each block before it."""

    def __init__(self, name: str, kind: str, entries: dict[str, str]):
        self.name, self.kind, self.entries = name, kind, entries

    @classmethod
    def read(cls, line: str) -> Phi | None:
        """The phi in a line.

        >>> Phi.read('  %i = phi i64 [ 0, %a ], [ %next, %b ]').entries
        {'%a': '0', '%b': '%next'}
        """
        found = PHI.match(line)
        return found and cls(found[1], found[2], {block: value for value, block in ENTRY.findall(found[3])})

    def line(self, times: dict[str, int]) -> str:
        """The line; times: how often each block branches here, if more than once."""
        entries = (f'[ {value}, {block} ]' for block, value in self.entries.items() for _ in range(times.get(block, 1)))
        return f'  {self.name} = phi {self.kind} {", ".join(entries)}'


class Block:
    """A label as branches write it, the phis, and the lines after them."""

    def __init__(self, name: str, phis: list[Phi], lines: list[str]):
        self.name, self.phis, self.lines = name, phis, lines

    @property
    def targets(self) -> list[str]:
        """What it branches to, as often as it does."""
        return [name for line in self.lines if 'label %' in line for name in TARGET.findall(line)]

    def retarget(self, old: str, new: str) -> None:
        """Branch to another block instead."""
        place = re.compile(rf'label {re.escape(old)}(?![-\w.$])')
        self.lines = [place.sub(f'label {new}', line) if 'label %' in line else line for line in self.lines]


class Loop:
    """A header, the blocks that branch back to it, all blocks inside, and how many loops lie inside each other in it."""

    def __init__(self, header: str, latches: list[str], inside: set[str]):
        self.header, self.latches, self.inside, self.height = header, latches, inside, 0


def blocks_of(lines: list[str]) -> dict[str, Block]:
    """The blocks of a function by name, the first one first, which need not have one.

    >>> list(blocks_of(['  br label %a', '', 'a:', '  br i1 %c, label %a, label %b', 'b:', '  ret i32 0']))
    ['', '%a', '%b']
    """
    found, block = {}, None
    for line in lines:
        label = LABEL.match(line)
        if label or block is None:
            block = Block(f'%{label[1]}' if label else '', [], [])
            found[block.name] = block
        if not label and line:
            phi = Phi.read(line)
            block.lines.append(line) if phi is None else block.phis.append(phi)
    return found


def text_of(blocks: dict[str, Block]) -> list[str]:
    """The lines of a function again."""
    times: dict[str, dict[str, int]] = {}
    for block in blocks.values():
        for target in block.targets:
            counts = times.setdefault(target, {})
            counts[block.name] = counts.get(block.name, 0) + 1
    lines = []
    for block in blocks.values():
        lines += [f'{block.name[1:]}:'] if block.name else []
        lines += [phi.line(times[block.name]) for phi in block.phis] + block.lines
    return lines


def loops_of(blocks: dict[str, Block]) -> list[Loop]:
    """The loops, outer ones first.

    >>> [loop] = loops_of(blocks_of(['  br label %a', 'a:', '  br i1 %c, label %a, label %d', 'd:', '  ret i32 0']))
    >>> loop.header, loop.latches, loop.inside
    ('%a', ['%a'], {'%a'})
    """
    after = {name: block.targets for name, block in blocks.items()}
    before: dict[str, list[str]] = {name: [] for name in blocks}
    back: dict[str, list[str]] = {}
    for name, targets in after.items():
        for target in targets:
            before[target].append(name)
    for start, end in _back_edges(after):
        back.setdefault(end, []).append(start)
    loops = [Loop(header, latches, _inside(header, latches, before)) for header, latches in back.items()]
    loops.sort(key=lambda loop: len(loop.inside))
    for k, loop in enumerate(loops):
        loop.height = max((inner.height + 1 for inner in loops[:k] if inner.header in loop.inside), default=0)
    return loops[::-1]


def _inside(header: str, latches: list[str], before: dict[str, list[str]]) -> set[str]:
    inside, left = {header}, list(latches)
    while left:
        name = left.pop()
        if name not in inside:
            inside.add(name)
            left += before[name]
    return inside


def _back_edges(after: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """The branches that lead back to where the way from the first block comes from, each once."""
    first = next(iter(after))
    seen, way, left = {first}, {first}, [(first, iter(dict.fromkeys(after[first])))]
    while left:
        name, targets = left[-1]
        target = next(targets, None)
        if target is None:
            left.pop()
            way.discard(name)
        elif target in way:
            yield name, target
        elif target not in seen:
            seen.add(target)
            way.add(target)
            left.append((target, iter(dict.fromkeys(after[target]))))
