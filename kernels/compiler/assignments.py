"""Static single assignment, as Numba makes it, at the cost of the blocks where each variable stands."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from numba.core import ir, ssa
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import build_definitions
from numba.core.untyped_passes import ReconstructSSA

Blocks = dict[int, ir.Block]


@register_pass(mutates_CFG=False, analysis_only=False)
class LocalSSA(ReconstructSSA):
    """Numba's pass, which goes through the whole program twice for every variable that is assigned more than once."""

    _name = 'local_ssa'

    def run_pass(self, state):
        state.func_ir.blocks = reconstructed(state.func_ir.blocks)
        self._patch_locals(state)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


def reconstructed(blocks: Blocks) -> Blocks:
    """The same blocks, in which every variable is assigned once."""
    graph = compute_cfg_from_blocks(blocks)
    frontiers = ssa._iterated_domfronts(graph)
    mentioned, cached = _mentioned(blocks), ssa._CacheListVars()
    for name in ssa._find_defs_violators(blocks, graph):
        fresh, definitions = ssa._fresh_vars(_part(blocks, mentioned[name]), name)
        blocks = {**blocks, **fresh}
        state = {**ssa._make_states(blocks), 'varname': name, 'defmap': definitions, 'phimap': defaultdict(list), 'cfg': graph,
                 'phi_locations': ssa._compute_phi_locations(frontiers, definitions)}
        blocks = {**blocks, **ssa._run_block_rewrite(_part(blocks, mentioned[name]), state, ssa._FixSSAVars(cached))}
        for label, phis in state['phimap'].items():
            blocks[label] = _begun_by(phis, blocks[label])
    return blocks


def _mentioned(blocks: Mapping[int, ir.Block]) -> dict[str, list[int]]:
    """By variable, the blocks that read or write it."""
    found: dict[str, dict[int, None]] = {}
    for label, block in blocks.items():
        for statement in block.body:
            for var in statement.list_vars():
                found.setdefault(var.name, {})[label] = None
    return {name: list(labels) for name, labels in found.items()}


def _part(blocks: Blocks, labels: list[int]) -> Blocks:
    return {label: blocks[label] for label in labels}


def _begun_by(statements: list[ir.Stmt], block: ir.Block) -> ir.Block:
    made = ir.Block(scope=block.scope, loc=block.loc)
    made.body = statements + block.body
    return made
