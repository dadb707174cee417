"""The examples of the run-time package, under the name that it is imported by."""
import doctest
import importlib
import pkgutil

import pytest

import transpiler_kernels

MODULES = sorted(found.name for found in pkgutil.walk_packages(transpiler_kernels.__path__, 'transpiler_kernels.'))


@pytest.mark.parametrize('name', MODULES)
def test_examples(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert not failed
