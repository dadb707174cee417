"""`python -m transpiler` is the command `transpile`."""
import sys

from transpiler.cli import main

if __name__ == '__main__':
    sys.exit(main())
