"""The options of `transpile`."""
from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from transpiler import __version__
from transpiler.cli.requests import BATCH_FORM, FORM, UsageError, parse_request, refuse_clashes
from transpiler.errors import printable
from transpiler.source.writing.comments import CODING

EPILOG = f'''\
SPEC is {FORM}, of --vmap {BATCH_FORM}.
The generated function is called FUNCTION_grad, FUNCTION_value_and_grad, FUNCTION_jvp or FUNCTION_vmap unless it says otherwise.
The module is read as text and not run, except under --check and --precompile.

examples:
  transpile model.py -o model_grad.py --grad loss
  transpile model.py --show --value-and-grad loss:argnums=0,1 --args "np.ones(3), 2.0"
  transpile model.py -o model_grad.py --grad loss --grad energy:name=force --check
  transpile model.py -o model_vmap.py --vmap predict:in_axes=None,0
  transpile --lint model.py:loss
  transpile model.py --precompile step --args "np.ones(3), 2.0"

exit status: 0 all well; 1 the module cannot be transpiled, the check failed or --lint warns; 2 the command is wrong
'''

MEANINGS = {'grad': 'the gradient', 'value_and_grad': 'value and gradient', 'jvp': 'value and tangent',
            'vmap': 'the batched form (types and --args are those of one example)'}


class _Parser(argparse.ArgumentParser):
    """Raises instead of printing, so that every failure is reported in one place."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f'{message} (see `transpile --help`)')


def parser() -> argparse.ArgumentParser:
    result = _Parser(prog='transpile', description='Write the derivatives of the NumPy functions in a module as readable Python.',
                     epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    result.add_argument('module', metavar='MODULE.py', type=Path, help='the module to read; MODULE.py:FUNCTION under --lint')
    result.add_argument('-o', '--output', metavar='OUT.py', type=Path, help='the module to write (default: print it)')
    for kind, meaning in MEANINGS.items():
        result.add_argument('--' + kind.replace('_', '-'), metavar='SPEC', dest='requests', action='append', default=[],
                            type=partial(parse_request, kind), help=f'write {meaning} of a function; may be repeated')
    result.add_argument('--show', action='store_true', help='show the result in colour')
    result.add_argument('--lint', action='store_true',
                        help='write nothing; say what is likely to surprise somebody who differentiates the functions')
    result.add_argument('--precompile', metavar='FUNCTION', action='append', default=[],
                        help='write nothing; run the module, and compile this function of it for the types of --args, so that '
                             'programs find its machine code on disk; may be repeated')
    result.add_argument('--check', action='store_true',
                        help='run both modules and compare: derivatives with finite differences, batches with loops; '
                             'write nothing if they differ')
    result.add_argument('--args', metavar='[FUNCTION:] ARGS', action='append', default=[],
                        help='example arguments, such as "np.ones(3), 2.0": types for the code, values for --check '
                             '(default: from the annotations)')
    helpers = result.add_mutually_exclusive_group()
    helpers.add_argument('--standalone', action='store_true',
                         help='write the helpers that the code needs into the output (default)')
    helpers.add_argument('--runtime', action='store_true', help='import the helpers from `transpiler_kernels` instead')
    result.add_argument('--force', action='store_true', help='overwrite a file that was not generated')
    result.add_argument('--traceback', action='store_true', help='show the traceback of an internal error')
    result.add_argument('--version', action='version', version=f'transpiler {__version__}')
    return result


def parse_options(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read and cross-check the options; raises UsageError."""
    options = parser().parse_args(argv)
    for option in ('lint', 'precompile'):
        others = options.requests or options.output or options.check or options.lint and options.precompile
        if getattr(options, option) and others:
            raise UsageError(f'--{option} goes with --args alone (see `transpile --help`)')
    if not options.requests and not options.lint and not options.precompile:
        asked = '--grad, --value-and-grad, --jvp or --vmap'
        raise UsageError(f'nothing to do: ask for a function with {asked} (see `transpile --help`)')
    refuse_clashes(options.requests)
    return options


def command_line(options: argparse.Namespace) -> str:
    """The command that makes the same output again, with base names only.

    >>> command_line(parse_options(['src/model.py', '-o', '/tmp/out.py', '--check', '--grad', 'loss:argnums=0,1']))
    'transpile model.py -o out.py --grad loss:argnums=0,1'
    """
    words = ['transpile', options.module.name]
    if options.output:
        words += ['-o', options.output.name]
    for request in options.requests:
        words += [request.option, request.spec]
    for args in options.args:
        words += ['--args', args]
    return ' '.join(map(_quoted, words + ['--runtime'] * options.runtime))


def _quoted(word: str) -> str:
    """The word for a shell, on one line of a comment.

    >>> _quoted('loss'), _quoted('a b'), _quoted('a\\nb')
    ('loss', "'a b'", "$'a\\\\nb'")
    """
    if word.isprintable() and not CODING.search(word):
        return shlex.quote(word)
    escaped = printable(word.replace('\\', '\\\\').replace("'", "\\'"))
    return "$'" + CODING.sub('codin\\\\x67', escaped) + "'"
