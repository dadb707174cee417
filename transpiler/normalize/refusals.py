"""What the fence says: for each construct outside the language, what it is, why it is refused, and what to write instead.

`{name}` stands for the word at fault: a builtin, an attribute, an operator.
"""
from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    what: str
    why: str
    instead: str


GENERATORS = {
    'yield': Refusal('`yield` is not supported', 'a generator has no single value to differentiate',
                     'collect the values in an array and return it'),
    'yield from': Refusal('`yield from` is not supported', 'a generator has no single value to differentiate',
                          'collect the values in an array and return it'),
    'sent': Refusal('the value of `yield` is not supported', 'the items of a generator are made at once: nothing is sent to it',
                    'pass what it needs as an argument'),
    'returned': Refusal('the value of `yield from` is not supported', 'the items of a generator are kept, not what it returns',
                        'return the value from a function of its own'),
    'async def': Refusal('an `async` function is not supported', 'its steps run in an order that is not known beforehand',
                         'write a plain `def`'),
}

NAMES = {
    'global': Refusal('`global` is not supported', 'a write to a global would be an effect that the derivative cannot undo',
                      'pass the value in as an argument and return the new one'),
    'nonlocal': Refusal('`nonlocal` is not supported here', 'no line of the function around gives the name its first value',
                        'give it a value in a line of its own, outside of branches and loops'),
    'del': Refusal('`del` of several names in brackets is not supported', 'each is deleted on its own', 'leave out the brackets'),
    'class': Refusal('a class definition inside a function is not supported', 'a class made at run time has no fixed layout',
                     'define the class at the top of the module, or use a tuple or dict'),
    'type alias': Refusal('a `type` statement inside a function is not supported', 'types are read before the function runs',
                          'move the alias to the top of the module'),
    'type parameters': Refusal('type parameters are not supported', 'a function is specialised on its arguments anyway',
                               'leave out the part in square brackets'),
    'decorator': Refusal('this decorator on a nested function is not supported', 'it may replace the function by anything',
                         'decorate with `grad`, `value_and_grad`, `jit` or `checkpoint` only, or call the decorator outside'),
}

CONTROL = {
    'try': Refusal('`try` is not supported', 'where the body stops is not known, so it cannot be run backwards',
                   'test for the bad case with `if`, or catch the exception in the caller'),
    'with': Refusal('`with` is not supported', 'a context manager runs code of its own on the way in and out',
                    'open the context around the call, in the caller; only `np.errstate` may stand here'),
    'class pattern': Refusal('a class in a pattern is not supported', 'which attributes it looks at is up to the class',
                             'use `isinstance` and read the attributes'),
    'mapping pattern': Refusal('a dict in a pattern is not supported', 'it looks inside values that are not known beforehand',
                               'use `in` and read the entries'),
    'loop target': Refusal('a loop variable must be a name or a tuple of names', 'it is assigned anew in each iteration',
                           'loop over a name, and store it in the first line of the body'),
    'bare raise': Refusal('`raise` without an exception is not supported', 'there is no exception in flight to raise again',
                          'name the exception: `raise ValueError(...)`'),
    'raise from': Refusal('`raise … from` is not supported', 'no exception is caught here that could be the cause',
                          'leave out the `from`'),
}

CONTAINERS = {
    'set comprehension': Refusal('a set comprehension is not supported', 'a set has no order, so sums over it vary',
                                 'use a tuple or an array'),
}

OBJECTS = {
    'attribute deletion': Refusal('deleting the attribute `{name}` is not supported',
                                  'an object has the same attributes on every path', 'give it another value, such as None'),
    'shape write': Refusal('a write to `.{name}` is not supported', 'it changes an array behind every name it has',
                           'make a new array with `reshape` or `astype`'),
    'dunder': Refusal('the attribute `{name}` is not supported', 'it reaches into the interpreter, not into a value',
                      'use the value itself'),
    'delattr': Refusal('`{name}` is not supported', 'it changes an object behind the caller',
                       'return the new value'),
    'getattr': Refusal('`{name}` with a computed name is not supported', 'which attribute is meant must be in sight',
                       'write the name as a string constant, or use a dict'),
    'id': Refusal('`{name}` is not supported', 'generated code makes its own objects, so the answer would differ',
                  'compare values'),
}

TEXT = {
    'text call': Refusal('text made by `{name}` is not supported here', 'text is built only for `print`, `assert` and `raise`',
                         'build the text in the caller'),
    'template string': Refusal('a template string is not supported', 'text is built only for `print`, `assert` and `raise`',
                               'use an f-string inside `print`, `assert` or `raise`'),
}

BUILTINS = {
    'eval': Refusal('`{name}` is not supported', 'code made at run time cannot be read beforehand',
                    'write the expression out, or call a function'),
    'scope': Refusal('`{name}` is not supported', 'generated code has names of its own',
                     'use the variables by name'),
    'open': Refusal('`{name}` is not supported', 'reading or writing files has no derivative',
                    'read the data in the caller and pass it in'),
    'input': Refusal('`{name}` is not supported', 'waiting for a person has no derivative',
                     'ask in the caller and pass in the answer'),
    'import call': Refusal('`{name}` is not supported', 'what is called must be known when the code is generated',
                           'import at the top of the module'),
    'iterator': Refusal('`{name}` is not supported', 'an iterator changes each time it is used',
                        'loop over a range or a container'),
    'breakpoint': Refusal('`{name}` is not supported', 'the function is read, not run, at this point',
                          'set the breakpoint in the generated source, which is a real file'),
}

REFUSALS: dict[str, Refusal] = {**GENERATORS, **NAMES, **CONTROL, **CONTAINERS, **OBJECTS, **TEXT, **BUILTINS}

# Builtins that are refused when called, by the refusal that fits.
REFUSED_CALLS: dict[str, str] = {
    name: refusal for refusal, names in {
        'eval': 'eval exec compile', 'scope': 'globals locals vars dir', 'open': 'open', 'input': 'input help',
        'delattr': 'delattr', 'import call': '__import__', 'iterator': 'next aiter anext',
        'id': 'id hash',
        'breakpoint': 'breakpoint',
        'text call': 'chr bin hex oct bytes bytearray',
    }.items() for name in names.split()}
