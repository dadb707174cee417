"""What is known as long as no name that it was said with has changed."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

Key = TypeVar('Key', bound=Hashable)
Value = TypeVar('Value')


class Facts(dict, Generic[Key, Value]):
    """Entries of a dict that go once a name in them changes; who depends on a name is looked up, not looked for.

    words: the names in an entry

    >>> facts = Facts(lambda name, value: (name, *value))
    >>> facts['x'], facts['y'] = 'ab', 'bc'
    >>> facts.forget('a')
    >>> facts
    {'y': 'bc'}
    """

    def __init__(self, words: Callable[[Key, Value], Iterable[str]]):
        super().__init__()
        self.words = words
        self.users: dict[str, tuple[Key, ...]] = {}     # the entries that a name stands in, or once stood in

    def copy(self) -> Facts[Key, Value]:
        new: Facts[Key, Value] = Facts(self.words)
        dict.update(new, self)
        new.users = self.users.copy()
        return new

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        for word in {*self.words(key, value)}:
            self.users[word] = (*self.users.get(word, ()), key)

    def setdefault(self, key: Key, value: Value) -> Value:
        if key not in self:
            self[key] = value
        return self[key]

    def __ior__(self, more: Mapping[Key, Value]) -> Facts[Key, Value]:
        for key, value in more.items():
            self[key] = value
        return self

    def forget(self, changed: Iterable[str]) -> None:
        for word in changed:
            for key in self.users.pop(word, ()):
                if key in self and word in self.words(key, self[key]):
                    del self[key]
