"""What a function owns at the end of each of its blocks: references to memory that it must give back if it ends there."""
from __future__ import annotations

import re
from collections.abc import Mapping

from transpiler_kernels.interrupts.cfg import NAME, Block

COUNTED = re.compile(rf'\bcall void @NRT_(incref|decref)\(ptr [^%]*({NAME})\)')
SLOT = re.compile(rf'@transpiler\.allocates\(.*ptr [^%]*({NAME})\)')
LOADED = re.compile(rf'  ({NAME}) = load ptr, ptr ({NAME})')
USED = re.compile(NAME)
HARMLESS = re.compile(r' (?:call|icmp|load|getelementptr) ')  # who owns something stays the same

Owned = Mapping[str, int]


def owned(blocks: dict[str, Block]) -> dict[str, Owned]:
    """How many references to which memory each block leaves with its function, where that is certain.

    It is for memory that has one name, which goes nowhere else, and of which each way to a block has taken equally many.

    >>> from transpiler_kernels.interrupts.cfg import blocks_of
    >>> lines = ['a:', '  call void @NRT_incref(ptr %x)', '  br label %b', 'b:', '  call void @NRT_decref(ptr nonnull %x)']
    >>> owned(blocks_of(lines))
    {'%a': {'%x': 1}, '%b': {}}
    """
    lines = [line for block in blocks.values() for line in block.lines]
    slots = {found[1] for line in lines if (found := SLOT.search(line))}
    changes = {name: _changes(block, slots) for name, block in blocks.items()}
    certain = {memory for change in changes.values() for memory in change}
    certain -= {name for line in lines if certain and not HARMLESS.search(line) for name in USED.findall(line)}
    certain -= {value for block in blocks.values() for phi in block.phis for value in phi.entries.values()}
    first = next(iter(blocks))
    entered: dict[str, Owned] = {first: {}}
    found, left = {first: _after({}, changes[first])}, [first]
    while left:
        name = left.pop()
        for target in dict.fromkeys(blocks[name].targets):
            if target not in entered:
                entered[target], found[target] = found[name], _after(found[name], changes[target])
                left.append(target)
            elif entered[target] != found[name] and blocks[target].targets:     # else it ends there, perhaps by an exception
                certain -= {memory for memory, _ in entered[target].items() ^ found[name].items()}
    return {name: {memory: count for memory, count in counts.items() if memory in certain} for name, counts in found.items()}


def _changes(block: Block, slots: set[str]) -> dict[str, int]:
    changes: dict[str, int] = {}
    for line in block.lines:
        if counted := COUNTED.search(line):
            changes[counted[2]] = changes.get(counted[2], 0) + (1 if counted[1] == 'incref' else -1)
        elif (loaded := LOADED.match(line)) and loaded[2] in slots:
            changes[loaded[1]] = changes.get(loaded[1], 0) + 1
    return changes


def _after(before: Owned, changes: dict[str, int]) -> Owned:
    if not changes:
        return before
    counts = {memory: before.get(memory, 0) + changes.get(memory, 0) for memory in before | changes}
    return {memory: count for memory, count in counts.items() if count}
