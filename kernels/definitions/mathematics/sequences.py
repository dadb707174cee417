"""Items and parts of lists and ranges, in the language: what Python writes `[...]` and methods for."""


def clamped(place, length, least):
    """A bound of a slice, counted from the start; `least`: 0, or -1 if it counts backwards."""
    return max(place + length, least) if place < 0 else min(place, length + least)


def part_of_range(turns, part):
    n = len(turns)
    step = 1 if part.step is None else part.step
    least = 0 if step > 0 else -1
    first, end = (0, n) if step > 0 else (n - 1, -1)
    lower = first if part.start is None else clamped(part.start, n, least)
    upper = end if part.stop is None else clamped(part.stop, n, least)
    return range(turns.start + lower * turns.step, turns.start + upper * turns.step, step * turns.step)


def item_of_range(turns, k):
    n = len(turns)
    if k >= n if k >= 0 else k < -n:
        raise IndexError('range object index out of range')
    return turns.start + (k + n if k < 0 else k) * turns.step


def part_of_list(items, part):
    return [items[k] for k in part_of_range(range(len(items)), part)]


def repeated(items, count):
    return [item for _ in range(count) for item in items]


def repeat_in_place(items, count):
    """`items *= count`"""
    n = len(items)
    if count < 1:
        while len(items) > 0:
            items.pop()
    for _ in range(1, count):
        for k in range(n):
            items.append(items[k])


def pop_item(items, index):
    n = len(items)
    place = index + n if index < 0 else index
    if place < 0 or place >= n:
        raise IndexError('pop index out of range')
    found = items[place]
    for k in range(place, n - 1):
        items[k] = items[k + 1]
    items.pop()
    return found


def insert_item(items, index, item):
    n = len(items)
    place = clamped(index, n, 0)
    items.append(item)
    for k in range(n, place, -1):
        items[k] = items[k - 1]
    items[place] = item


def reverse_items(items):
    n = len(items)
    for k in range(n // 2):
        first = items[k]
        items[k] = items[n - 1 - k]
        items[n - 1 - k] = first


def put_part(items, part, values):
    """`items[part] = values`, which may be more or fewer than there were, but for slices with a step."""
    if part.step is not None and part.step != 1:
        return put_apart(items, part_of_range(range(len(items)), part), list(values))
    new, n = list(values), len(items)
    lower = 0 if part.start is None else clamped(part.start, n, 0)
    upper = n if part.stop is None else clamped(part.stop, n, 0)
    rest = [items[k] for k in range(max(lower, upper), n)]
    while len(items) > lower:
        items.pop()
    items.extend(new)
    items.extend(rest)


def put_apart(items, places, values):
    if len(values) != len(places):
        raise ValueError(f'attempt to assign sequence of size {len(values)} to extended slice of size {len(places)}')
    for k, place in enumerate(places):
        items[place] = values[k]


def delete_part(items, part):
    """`del items[part]`"""
    n = len(items)
    gone = part_of_range(range(n), part)
    rest = [items[k] for k in range(n) if (k - gone.start) % gone.step != 0 or not 0 <= (k - gone.start) // gone.step < len(gone)]
    take_over(items, rest)


def contained(items, sought):
    """`sought in items`"""
    return count_of(items, sought) > 0


def count_of(items, sought):
    """`items.count(sought)`"""
    found = 0
    for item in items:
        if item is None if sought is None else item is not None and item == sought:
            found = found + 1
    return found


def take_over(items, values):
    """`items[:] = values`"""
    while len(items) > 0:
        items.pop()
    items.extend(values)
