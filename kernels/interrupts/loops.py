"""A look for signals in every loop of functions that LLVM has optimised: loops are vectors by then, and stay what they are.

Each block that leads back to the header of its loop does so by way of one that asks whether it is time to look. What that costs
is one more comparison for an iteration of an innermost loop, which looks wherever its counter is a multiple of many thousands.
Any other loop counts down on the stack, where it takes no register from those inside; how far, the last look has told.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping

from transpiler_kernels.interrupts.cfg import NAME, Block, Loop, blocks_of, loops_of, text_of
from transpiler_kernels.interrupts.owned import owned

LOOK = 'transpiler_looks'
QUIET = 'transpiler.look'   # keeps all registers, so that loops need not make room for it
INNERMOST = 2 ** 14         # iterations from look to look of an innermost loop that counts
SHARED, CALL = 512, 64      # those of all others, at first, and what one takes that calls functions which may take their time
FUNCTION = r'@("[^"]*"|[-\w.$]+)'
DEFINED = re.compile(rf'define .*?{FUNCTION}\(')
CALLED = re.compile(rf'\bcall [^@%]*(?:{FUNCTION}|{NAME})\(')
LIGHT = re.compile(r'(?:llvm|NRT_|transpiler\.allocates|mem(?:set|cpy|move)$'
                   r'|(?:a?(?:sin|cos|tan)h?|atan2|(?:exp|log)(?:2|10|1p|m1)?|pow|fmod|erfc?|[lt]gamma|hypot|cbrt|ldexp|frexp)f?$)')
STEP = re.compile(rf'  ({NAME}) = add (?:nuw )?(?:nsw )?(i32|i64) ({NAME}), (-?\d+)$')
LARGEST_STEP = 2 ** 16


def with_looks(text: str, functions: Collection[str], features: str) -> str:
    """A module with looks in the loops of these functions, which give Numba's status; features: what the processor has."""
    lines, made, k, looks = text.split('\n'), [], 0, 0
    rare = 1 + max((int(number) for number in re.findall(r'^!(\d+) =', text, re.MULTILINE)), default=-1)
    while k < len(lines):
        name = DEFINED.match(lines[k])
        made.append(lines[k])
        k += 1
        if name and name[1].strip('"') in functions:
            end = lines.index('}', k)
            body = _Body(lines[k:end], f'!prof !{rare}')
            made += text_of(body.blocks) if body.looks else lines[k:end]
            looks += body.looks
            k = end
    if not looks:
        return text
    made += () if f'i64 @{QUIET}(' in text else _quietly(features)  # a library that is linked to this one may have brought it
    made += () if '@NRT_decref(' in text else ('declare void @NRT_decref(ptr)',)
    return '\n'.join([*made, f'!{rare} = !{{!"branch_weights", i32 1, i32 1048575}}', ''])


def _quietly(features: str) -> tuple[str, str]:
    """The definition of `QUIET`, for a processor with these features."""
    return f'declare i64 @{LOOK}(i64)', f'''
define linkonce_odr preserve_allcc i64 @{QUIET}(i64 %counted) noinline cold nounwind "target-features"="{features}" {{
  %found = call i64 @{LOOK}(i64 %counted)
  ret i64 %found
}}'''


class _Body:
    """The blocks of a function, with what is put into its loops."""

    def __init__(self, lines: list[str], rare: str):
        self.blocks, self.rare, self.looks = blocks_of(lines), rare, 0
        first, shares = next(iter(self.blocks.values())), False
        self.owned, loops = owned(self.blocks), loops_of(self.blocks)
        self.ends: dict[tuple[str, str], str] = {}  # by what follows, and the memory let go of before
        self.often = Counter(memory for loop in loops for latch in loop.latches for memory in self.owned.get(latch, ()))
        for loop in loops:
            calls = any(_calls(self.blocks[block]) for block in loop.inside)
            for latch in loop.latches:
                counter = None if calls or loop.height else self._counter(loop, latch)
                shares |= counter is None
                self._look(loop, latch, _by_bits(*counter) if counter else _by_share(CALL if calls else 1))
        if shares:
            first.lines[:0] = [line for name in ('left', 'size')
                               for line in (f'  %looks.{name} = alloca i64', f'  store i64 {SHARED}, ptr %looks.{name}')]

    def _look(self, loop: Loop, latch: str, ways: tuple[list[str], list[str]]) -> None:
        """Go from a latch to the header by way of a look, if it is time; ways: to ask that, and to look."""
        look, self.looks = f'%look.{self.looks}', self.looks + 1
        asking, looking = ([line.format(look=look) for line in lines] for lines in ways)
        self._add(look, *asking, f'  br i1 {look}.over, label {look}.now, label {loop.header}, {self.rare}')
        self._add(f'{look}.now', *looking,
                  f'  {look}.none = icmp sge i64 {look}.found, 0',
                  f'  br i1 {look}.none, label {loop.header}, label {self._end(self.owned.get(latch, {}))}')
        self.blocks[latch].retarget(loop.header, look)
        for phi in self.blocks[loop.header].phis:
            phi.entries[look] = phi.entries[f'{look}.now'] = phi.entries.pop(latch)

    def _end(self, held: Mapping[str, int]) -> str:
        """The block that lets go of memory, so many times each, and ends the function; others go there that hold the same."""
        following = self._unwinding('', '', '  ret i32 -1')
        for memory in sorted(held, key=lambda memory: (-self.often[memory], memory)):
            for _ in range(held[memory]):
                let_go = f'  call void @NRT_decref(ptr {memory})'
                following = self._unwinding(following, memory, let_go, f'  br label {following}')
        return following

    def _unwinding(self, following: str, memory: str, *lines: str) -> str:
        """The block that lets go of memory before another one follows."""
        key = following, memory
        if key not in self.ends:
            self.ends[key] = f'%looks.end.{len(self.ends)}'
            self._add(self.ends[key], *lines)
        return self.ends[key]

    def _add(self, name: str, *lines: str) -> None:
        self.blocks[name] = Block(name, [], list(lines))

    def _counter(self, loop: Loop, latch: str) -> tuple[str, str, int] | None:
        """A counter of the loop: its type, what it is next, and how far it steps."""
        nexts = {phi.entries[latch]: phi.name for phi in self.blocks[loop.header].phis}
        for name in loop.inside:
            for step in filter(None, map(STEP.match, self.blocks[name].lines)):
                size = abs(int(step[4]))
                if nexts.get(step[1]) == step[3] and size & size - 1 == 0 and 0 < size < LARGEST_STEP:
                    return step[2], step[1], size
        return None


def _by_bits(kind: str, counter: str, step: int) -> tuple[list[str], list[str]]:
    """Look where some bits of a counter are 0."""
    low = f'trunc i64 {counter} to i32' if kind == 'i64' else f'or i32 {counter}, 0'
    return ([f'  {{look}}.low = {low}',
             f'  {{look}}.bits = and i32 {{look}}.low, {step * (INNERMOST - 1)}',
             '  {look}.over = icmp eq i32 {look}.bits, 0'],
            [f'  {{look}}.found = call preserve_allcc i64 @{QUIET}(i64 0)'])


def _by_share(cost: int) -> tuple[list[str], list[str]]:
    """Look where what is left of the count on the stack is used up."""
    return (['  {look}.had = load i64, ptr %looks.left',
             f'  {{look}}.left = sub i64 {{look}}.had, {cost}',
             '  store i64 {look}.left, ptr %looks.left',
             '  {look}.over = icmp slt i64 {look}.left, 1'],
            ['  {look}.size = load i64, ptr %looks.size',
             f'  {{look}}.found = call preserve_allcc i64 @{QUIET}(i64 {{look}}.size)',
             '  store i64 {look}.found, ptr %looks.size', '  store i64 {look}.found, ptr %looks.left'])


def _calls(block: Block) -> bool:
    """Whether it calls what may take its time: neither C's mathematics nor what gives memory."""
    called = filter(None, map(CALLED.search, block.lines))
    return any(not LIGHT.match((found[1] or '').strip('"')) for found in called)
