"""Where variables of Numba's IR live: what Numba finds out, of those that live beyond a block, as the bits of one number."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from numba.core import transforms
from numba.core.controlflow import CFGraph
from numba.core.postproc import PostProcessor, VariableLifetime

Names = Mapping[int, set[str]]      # by block


class Lifetimes(VariableLifetime):
    """Numba's, but for the variables that are alive where a block begins."""

    @cached_property
    def livemap(self):
        return alive(self.cfg, self.usedefs.usemap, self.usedefs.defmap)


class Processor(PostProcessor):
    """Numba's, which finds nothing out before anybody asks."""

    def run(self, emit_dels=False, extend_lifetimes=False):
        if self.func_ir.is_generator:
            super().run(emit_dels, extend_lifetimes)
            return
        self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
        self.func_ir.variable_lifetime = Lifetimes(self.func_ir.blocks)
        self.func_ir.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def alive(graph: CFGraph, uses: Names, definitions: Names) -> dict[int, set[str]]:
    """By block, the variables whose values are read there, or later, before they get others; as far as some path defines them.

    uses, definitions: what each block reads before it defines it, and what it defines
    """
    names = list(dict.fromkeys(name for used in uses.values() for name in sorted(used)))
    bits = {name: 1 << k for k, name in enumerate(names)}
    used = {block: _word(uses[block], bits) for block in uses}
    defined = {block: _word(definitions[block], bits) for block in uses}
    order = list(graph.topo_order())
    reaching = _settled(dict.fromkeys(order, 0), order, lambda block, found: [
        (block, defined[block] | used[block]), *((after, found[block]) for after, _ in graph.successors(block))])
    living = _settled({block: used[block] for block in uses}, order[::-1], lambda block, found: [
        (before, found[block] & reaching.get(before, 0) & ~defined[before]) for before, _ in graph.predecessors(block)])
    return {block: {name for name, bit in bits.items() if word & bit} for block, word in living.items()}


def _word(found: set[str], bits: Mapping[str, int]) -> int:
    word = 0
    for name in found:
        word |= bits.get(name, 0)
    return word


def _settled(found: dict[int, int], order: list[int], given) -> dict[int, int]:
    """What there is once `given` gives nothing new: for a block, pairs of a block and what that has, too."""
    growing = True
    while growing:
        growing = False
        for block in order:
            for other, word in given(block, found):
                if word & ~found[other]:
                    found[other] |= word
                    growing = True
    return found
