"""The specialiser is made of strata, one class on another: none may take the place of another's method or field unawares."""
from __future__ import annotations

import dataclasses
import inspect
import re

from transpiler.specialize.specialize import Specializer

HOOKS = {'written_rule'}  # declared below, defined above


def test_no_name_stands_for_two_things():
    fields = {field.name for field in dataclasses.fields(Specializer)}
    for stratum in Specializer.__mro__:
        for name, member in vars(stratum).items():
            if inspect.isfunction(member) and not name.startswith('__') and name not in HOOKS:
                assert name not in fields, f'{stratum.__name__}.{name} is a field too'
                below = [other.__name__ for other in stratum.__mro__[1:] if name in vars(other)]
                calls = re.search(rf'super\(\)\.{name}\b', inspect.getsource(member))
                assert not below or calls, f'{stratum.__name__}.{name}: {below}'
