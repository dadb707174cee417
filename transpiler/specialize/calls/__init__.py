"""Calls: functions of the program, builtins, recursion, custom rules, exceptions."""
