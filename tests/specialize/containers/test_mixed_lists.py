"""Lists of run-time length that hold Python's numbers beside small dtypes: whatever takes all items asks each what it is."""
import numpy as np
import pytest

import transpiler as tp

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')
SMALL, SINGLE, NONE = np.array([100, 100, 100], np.int8), np.array([2.0**24, 1, 1], np.float32), np.array([], np.int8)


def begun(k, first):
    kept = [first]
    for v in k:
        kept.append(v)
    return kept


def ended(k, last):
    kept = []
    for v in k:
        kept.append(v)
    kept.append(last)
    return kept


def chosen(k, first):
    return [first if i == 0 else k[i] for i in range(len(k))]


def stored(k, first):
    kept = [first] * len(k)
    for i in range(1, len(k)):
        kept[i] = k[i]
    return kept


def filled(k, first):
    kept = [None] * len(k)
    for i in range(len(k)):
        kept[i] = first if i == 0 else k[i]
    return kept


class Holder:
    def __init__(self, first):
        self.kept = {'in': [first]}

    def put(self, v):
        self.kept['in'].append(v)


def attribute(k, first):
    holder = Holder(first)
    for v in k:
        holder.put(v)
    return holder.kept['in']


@tp.jit
def added(items):
    return sum(items)


def reversed_total(t):
    return sum(list(reversed(t)))


MADE = (begun, ended, chosen, stored, filled, attribute)
TAKEN = (sum, max, lambda t: sum(t[1:]), lambda t: sum(t, t[1]), lambda t: sum(v for v in t), reversed_total, added,
         lambda t: sorted(t)[1] * 100, lambda t: max(t[1:]) * 100, lambda t: sum(t + t), lambda t: sum([*t, 1]),
         lambda t: sum(np.array(t[1:])), lambda t: np.sum(np.array(t) * 3))


@pytest.mark.parametrize('made', MADE, ids=lambda made: made.__name__)
def test_derivatives_take_each_item_for_what_it_is(made):
    for number, take in enumerate(TAKEN):
        def scaled(x, k, take=take):
            return np.sum(x) * float(take(made(k, 1)))

        for k in (SMALL, SINGLE):
            slope = tp.grad(scaled)(np.ones(2), k)
            assert np.array_equal(slope, np.full(2, float(take(made(k, 1))))), (number, k.dtype)


@pytest.mark.parametrize('transform', [tp.jit, tp.vmap], ids=['jit', 'vmap'])
@pytest.mark.parametrize('take', [sum, lambda t: sum(t[1:]), lambda t: sum(v for v in t), lambda t: np.array(t[1:]) * 100],
                         ids=['sum', 'part', 'generator', 'array'])
def test_code_with_one_type_for_each_name_refuses(transform, take):
    def taken(k):
        return take(begun(k, 1))

    with pytest.raises(tp.TranspileError, match="a number is Python's int or int8 here") as refused:
        transform(taken)(SMALL if transform is tp.jit else np.stack([SMALL, SMALL]))
    assert 'test_mixed_lists.py' in str(refused.value) and 'x.dtype.type' in str(refused.value)


@pytest.mark.parametrize('take', [lambda t: t, max, lambda t: t[1:], sorted, lambda t: {'kept': (t, 1)}],
                         ids=['list', 'max', 'part', 'sorted', 'inside'])
def test_compiled_results_are_of_one_kind(take):
    for first, k in ((1, SMALL), (0.5, SINGLE), (1, np.arange(3))):
        with pytest.raises(tp.TranspileError, match="a number is Python's"):
            tp.jit(lambda k, first=first: take(begun(k, first)))(k)


def test_what_does_not_depend_on_the_kind_is_compiled():
    def double(x):
        kept = begun(x, 0.0)
        return sum(kept), max(kept), np.array(kept), kept

    def single(x):
        kept = begun(x, 0.0)
        return x[1] * sum(kept), np.array(kept), np.mean(kept), np.array(kept[1:], dtype=float)

    def whole(k):
        kept = begun(k, 1)
        return np.array(kept), np.sum(kept), len(kept), np.array(kept[1:], np.int64), 0.5 * sum(begun(k, 0))

    for function, given in ((double, np.array([0.1, 0.7])), (single, SINGLE), (whole, SMALL), (whole, NONE)):
        for got, expected in zip(tp.jit(function)(given), function(given), strict=True):
            np.testing.assert_array_equal(got, expected)
            assert np.asarray(got).dtype == np.asarray(expected).dtype


def test_arrays_of_lists_that_may_have_lost_what_decides_their_dtype():
    def replaced(k):
        kept = begun(k, 0.5)
        kept[0] = k[0]
        return np.array(kept)

    def perhaps(k):
        kept = [k[0]]
        if k[0] < 0:
            kept.append(0.5)
        return np.array(kept)

    for function in (replaced, perhaps):
        with pytest.raises(tp.TranspileError, match="a number is Python's float or float32"):
            tp.jit(function)(SINGLE)


def test_classes_of_items_are_asked_of_what_they_are():
    def asked(x, k):
        return x * (1.0 if isinstance(begun(k, 1)[0], int) else 2.0)

    def dtype(x, k):
        return x * (1.0 if np.array(chosen(k, 1)).dtype == np.int64 else 2.0)

    for function in (asked, dtype):
        with pytest.raises(tp.TranspileError, match='a number is|shows only at run time'):
            tp.grad(function)(1.0, SMALL)
    assert tp.grad(lambda x, k: x * (np.array(begun(k, 1)).dtype == np.int64))(1.0, SMALL) == 1.0


def test_lists_in_lists_are_kept_in_arrays_of_one_kind():
    def nested(x, k):
        rows = []
        for _ in range(len(k)):
            rows.append(chosen(k, 1))
        return x * float(rows[1][1] * 100)

    def beside(x, k):
        rows = [[100 for _ in k]]
        for _ in range(len(k)):
            rows.append([v for v in k])
        return x * float(rows[0][0] + rows[1][1])

    for function in (nested, beside):
        with pytest.raises(tp.TranspileError, match="a number is Python's int or int8"):
            tp.grad(function)(1.0, SMALL)


def test_integers_beside_floats_on_one_path_and_small_integers_on_another():
    def added_up(x, k, coarse):
        total = 0
        for v in k:
            if coarse:
                v = 0.5
            total = total + v
        return x * float(total)

    for coarse in (False, True):
        assert tp.grad(added_up)(1.0, SMALL, coarse) == added_up(1.0, SMALL, coarse)


def test_batches_of_lists_that_begin_with_a_known_number_of_the_same_dtype():
    def scaled(k):
        kept = begun(k, 0)
        return sum(kept) * 3, kept[1] * 100, np.array(kept)

    k = np.arange(6).reshape(2, 3)
    for got, expected in zip(tp.vmap(scaled)(k), zip(*map(scaled, k), strict=True), strict=True):
        np.testing.assert_array_equal(got, np.stack(expected))
