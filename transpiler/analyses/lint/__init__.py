"""What in a program is likely to surprise somebody who differentiates it."""
from __future__ import annotations

from transpiler.analyses.lint.comparisons import compared_floats, deciding_floats
from transpiler.analyses.lint.cuts import cuts
from transpiler.analyses.lint.dependence import dependence
from transpiler.analyses.lint.finding import Finding
from transpiler.analyses.lint.parameters import parameters
from transpiler.analyses.lint.side_effects import side_effects
from transpiler.core.language import Core

__all__ = ['Finding', 'examine']

IGNORE = '# lint: ignore'
CHECKS = (compared_floats, cuts, parameters, side_effects, deciding_floats)


def examine(core: Core) -> tuple[Finding, ...]:
    """Warnings and notes about a specialised program that no pass has touched, in the order of the user's lines.

    What stands in a line with the comment `# lint: ignore` is left out, and so are repetitions: a helper that is called
    twice stands in the program twice.

    >>> from transpiler.core.text import parse
    >>> print(examine(parse('k = np.floor(x); y = k * x; return y'))[0].kind)
    cut
    """
    depends = dependence(core)
    found = [finding for check in CHECKS for finding in check(core, depends)]
    kept = {(f.kind, f.message, f.origin): f for f in found if f.origin is None or IGNORE not in f.origin.text}
    return tuple(sorted(kept.values(), key=_place))


def _place(finding: Finding) -> tuple:
    origin = finding.origin
    return (origin.file, origin.line, origin.column) if origin else ('', 0, 0)
