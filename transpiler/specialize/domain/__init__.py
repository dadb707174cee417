"""The abstract domain: what a name may stand for while a program is specialised."""
