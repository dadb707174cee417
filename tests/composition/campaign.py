"""Every composition of up to three transformations on every function: `python -m tests.composition.campaign [--jit] [names]`."""
from __future__ import annotations

import argparse
import warnings
from collections import Counter

from tests.composition.functions import CASES, Case
from tests.composition.paths import Path, applied, check, paths
from transpiler.errors import TranspileError

WHOLE = 'jit'


def judge(case: Case, path: Path) -> str:
    """'right', or the first line of the refusal; AssertionError where it is wrong."""
    f, point = case.function, case.point
    try:
        for step in path[:-1]:
            f, point = applied(step, f, point)
        whole, new = applied(path[-1], f, point)
        got = whole(new)
    except TranspileError as error:
        return str(error).splitlines()[0].partition(': ')[2]
    check(path[-1], f, point, got)
    return 'right'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('names', nargs='*')
    parser.add_argument('--longest', type=int, default=3)
    parser.add_argument('--jit', action='store_true', help='those with jit, instead of those without')
    options = parser.parse_args()
    warnings.simplefilter('ignore')
    tally: Counter[str] = Counter()
    for case in CASES:
        for path in paths(options.longest):
            if (WHOLE in path) != options.jit or options.names and case.name not in options.names:
                continue
            try:
                verdict = judge(case, path)
            except Exception as error:
                verdict = f'wrong: {type(error).__name__}: {" ".join(str(error).split())[:200]}'
            tally[verdict.partition(':')[0] if verdict.startswith('wrong') else 'right' if verdict == 'right' else 'refused'] += 1
            if verdict != 'right':
                print(f'{case.name} {" of ".join(reversed(path))}: {verdict}', flush=True)
    print(dict(tally))


if __name__ == '__main__':
    main()
