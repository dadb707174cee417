"""The command line: `transpile MODULE.py -o OUT.py --grad loss`."""
from transpiler.cli.command import main

__all__ = ['main']
