"""Enters all rules, those too that wait for a program that needs them: tests are made of them."""
import importlib

from transpiler.rules.base.lookup import LATER

for rules in ('transpiler.rules', *LATER.values()):
    importlib.import_module(rules)
