"""`python -m benchmarks.algebra [names]`: our time, what others take in units of it, and ours in units of SciPy's transforms."""
from __future__ import annotations

import sys
import warnings

from benchmarks.algebra.rows import arguments
from benchmarks.algebra.timing import OTHERS, row


def main(names: list[str]) -> None:
    print(f'{"":18}{"ours":>10}{"JAX":>8}{"PyTorch":>9}{"ours / SciPy":>14}')
    for function, args in arguments().items():
        if names and function.__name__ not in names:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            times = row(function, args)
        others = (f'{times[who] / times["ours"]:.2f}' if who in times else '' for who in OTHERS)
        scipys = f'{times["ours"] / times["SciPy"]:.2f}' if 'SciPy' in times else ''
        print(f'{function.__name__:18}{times["ours"] * 1e3:>7.2f} ms', '{:>7} {:>8} {:>13}'.format(*others, scipys), flush=True)


if __name__ == '__main__':
    main(sys.argv[1:])
