"""Running passes: fixed points, records, and the check that names the pass that broke the grammar."""
import pytest

from transpiler.core.build import assign
from transpiler.core.text import expression, parse
from transpiler.errors import GrammarError
from transpiler.optimize import optimize, surface
from transpiler.passes import checking, fixpoint, recording, rewrite


@rewrite('careless')
def careless(core):
    return core.with_body([assign('y', expression('x + (x + x)')), core.body[-1]])


@rewrite('restless')
def restless(core):
    return core.with_body(core.body)


def test_checking_names_the_pass():
    core = parse('y = x; return y')
    assert careless(core) is not core
    with checking(), pytest.raises(GrammarError, match='after careless: '):
        careless(core)


def test_a_pass_that_changes_what_it_is_given_is_found_while_checking():
    @rewrite('careless')
    def doubled(core):
        core.body[0].value = parse('y = x + x; return y').body[0].value
        return core
    with checking(), pytest.raises(GrammarError, match='careless changes the program that it is given'):
        doubled(parse('y = x; return y'))


def test_a_pass_that_never_settles_is_found_while_checking():
    core = parse('y = x; return y')
    assert fixpoint([restless])(core) is not core
    with checking(), pytest.raises(GrammarError, match='do not settle'):
        fixpoint([restless])(core)


def test_recording_lists_what_changed_the_text():
    with recording() as log:
        surface(optimize(parse('t = np.exp(x); u = np.exp(x); y = t * u; return y', temporaries=['t', 'u'])))
        restless(parse('return x'))
    assert [step.name for step in log] == ['common subexpressions', 'copy propagation', 'dead code', 'final names']
    assert 'y = exp_x * exp_x' in log[-1].source.text


def test_passes_leave_their_input_alone():
    core = parse('t = -x; y = t * -1.0; return y', temporaries=['t'])
    before = [*core.body]
    surface(optimize(core))
    assert [*core.body] == before and core.types == {}
