"""Memory of large arrays that are gone, kept for the next arrays of their size. On Linux only.

Setting up pages takes the operating system longer than computing what is in them, and C's library keeps no block of 32 MiB.
What is kept is marked (`madvise(2)`, MADV_FREE): the system takes it as soon as it runs short of memory.
"""
import os

import numpy as np
from numba import types
from numba.core import cgutils

from transpiler_kernels.machine.atomics import load, replace, swap
from transpiler_kernels.machine.compiled import written_out
from transpiler_kernels.machine.symbols import WORD, address_of, declared, known_as, once

UNIT = 1 << 21          # bytes: a large page. Addresses are multiples of it, so that a word holds one and a number of units
PLACES = 64             # for blocks that are kept
IN_LARGE_PAGES = 14     # MADV_HUGEPAGE; if the system does not want to, nothing happens
WHEN_SHORT = 8          # MADV_FREE

madvise = types.ExternalFunction('madvise', types.int32(types.intp, types.uintp, types.int32))
aligned_alloc = types.ExternalFunction('aligned_alloc', types.intp(types.uintp, types.uintp))
free = types.ExternalFunction('free', types.void(types.intp))

_kept = np.zeros(PLACES + 1, np.int64)      # the places, and the most units that all blocks may have: an eighth of the memory
_kept[PLACES] = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') // 8 // UNIT
known_as('transpiler_blocks', _kept.ctypes.data)
_address = address_of('transpiler_blocks')


@written_out
def _place(number):
    return _address() + 8 * number


@written_out
def _start(word):
    return word - word % UNIT


@once('transpiler_takes_block', types.int64(types.int64))
def _taken(units):
    """A block of so many units, one that was kept if there is one: its address, or 0."""
    for place in range(PLACES):
        word = load(_place(place))
        if word % UNIT == units and replace(_place(place), word, 0):
            return _start(word)
    address = aligned_alloc(UNIT, units * UNIT)
    if address == 0:
        return 0
    madvise(address, units * UNIT, IN_LARGE_PAGES)
    return address


@once('transpiler_gives_block_back', types.void(types.int64))
def _give_back(owner):
    """Keep a block that nobody uses any more; `owner` is the address of its word."""
    word = load(owner)
    units, most = word % UNIT, load(_place(PLACES))
    kept = 0
    for place in range(PLACES):
        kept += load(_place(place)) % UNIT
    if kept + units > most:
        for place in range(PLACES):
            free(_start(swap(_place(place), 0)))
    if units > most:
        free(_start(word))
        return
    madvise(_start(word), units * UNIT, WHEN_SHORT)
    for place in range(PLACES):
        if replace(_place(place), 0, word):
            return
    free(_start(swap(_place(units % PLACES), word)))


def give_block(context, builder, size, owner):
    """The end of a function that gives so many bytes: it writes down who looks after them, and returns where they are."""
    units = builder.lshr(builder.add(size, WORD(UNIT - 1)), WORD(UNIT.bit_length() - 1))
    start = builder.call(declared(builder.module, _taken, cgutils.voidptr_t), [units])
    with builder.if_then(cgutils.is_null(builder, start), likely=False):
        builder.ret(start)
    give_back = builder.bitcast(declared(builder.module, _give_back), cgutils.voidptr_t)
    made = context.nrt.meminfo_new_varsize_dtor_unchecked(builder, WORD(8), give_back)
    word = builder.add(builder.ptrtoint(start, WORD), units)
    builder.store(word, builder.bitcast(context.nrt.meminfo_data(builder, made), WORD.as_pointer()))
    builder.store(made, owner)
    builder.ret(start)
