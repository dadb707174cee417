"""`python -m benchmarks.contenders [names]` prints ratios; `--page` writes `docs/benchmarks.md` and its picture."""
from __future__ import annotations

import gc
import os
import sys
import tempfile
import warnings
from pathlib import Path

from benchmarks import kernels_table
from benchmarks.algebra import rows
from benchmarks.algebra import timing as algebra
from benchmarks.contenders import first_calls
from benchmarks.contenders.ours import ROWS
from benchmarks.contenders.page import OTHERS, cells, page, picture
from benchmarks.contenders.timing import ROUNDS, contenders, measure
from benchmarks.kernels import KERNELS

DOCS = Path(__file__).parents[2] / 'docs'


def main(arguments: list[str]) -> None:
    names = [a for a in arguments if not a.startswith('-')]
    # loops first: each kernel has a process of its own, forked before the others start their threads
    loops = {}
    if '--page' in arguments:
        kernels_table.warm_up()
        loops = {name: kernels_table.row(name) for name in KERNELS}
    taking_part, found = contenders(), {}
    print(f'{"":24}', *(f'{title:>10}' for title in ('ours', *OTHERS, 'copy')))
    for name in names or ROWS:
        gc.collect()
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            found[name] = measure(name, ROWS[name], taking_part)
        print(f'{name:24}', *(f'{text:>10}' for text in cells(found[name])), flush=True)
    if '--page' in arguments:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            matrices = {function.__name__: algebra.row(function, args) for function, args in rows.arguments().items()}
        (DOCS / 'benchmarks.md').write_text(page(found, first_calls.measure(names or list(ROWS)), loops, matrices, ROUNDS))
        picture(found, DOCS / 'benchmarks.svg')


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as cache:
        os.environ['TRANSPILER_CACHE_DIR'] = cache
        main(sys.argv[1:])
