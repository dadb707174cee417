"""Core programs written as text."""
from transpiler.core.text import dump, expression, parse


def test_names_that_are_only_read_are_parameters_in_order():
    assert parse('y = b * a; z = y + c; return z').inputs == ('b', 'a', 'c')


def test_primitives_are_one_dotted_name():
    assert expression('np.linalg.inv(x)').func.id == 'numpy.linalg.inv'


def test_a_range_gets_all_its_bounds():
    loop = parse('for i in range(n):\n    y = i\nreturn x').body[0]
    assert [part.value for part in loop.iter.args[::2]] == [0, 1]


def test_a_negative_number_is_a_constant():
    assert expression('-1.5').value == -1.5


def test_roles_and_origins():
    core = parse('y = x\n# pullback\nz = y\nreturn z')
    assert [s.role for s in core.body] == ['primal', 'pullback', 'pullback']
    assert [s.origin.line for s in core.body] == [1, 3, 4]


def test_versions_share_a_base():
    core = parse('y_1 = x; y_2 = y_1; return y_2', temporaries=['y_2'])
    assert core.base('y_1') == core.base('y_2') == 'y'
    assert core.is_temporary('y_2') and not core.is_temporary('y_1')


def test_dump_ignores_places():
    assert dump(parse('y = x').body) == dump(parse('\n\ny   =   (x)').body)
