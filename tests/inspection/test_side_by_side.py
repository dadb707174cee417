"""The displays of primal and generated code: complete, escaped, linked, and without outside resources."""
import io
import re
from html import unescape
from html.parser import HTMLParser

from rich.console import Console

import transpiler as tp
from transpiler.errors import Origin
from transpiler.inspection import highlighted, side_by_side, side_by_side_html

PRIMAL = '''def loss(x):
    """Less than <3 & "quoted".
    """
    y = x * x
    return y
'''
GENERATED = '''import numpy as np


def loss_grad(x):
    # pullback
    x_bar = 2.0 * x
    return x_bar
'''
LINE_MAP = {4: 11, 6: 14, 7: 15}


class Checker(HTMLParser):
    """Collects the code text of each panel and insists on balanced tags."""

    def __init__(self):
        super().__init__()
        self.open, self.codes, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag == 'code':
            self.codes.append('')
        self.links += [value for name, value in attributes if name in ('src', 'href')]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if 'code' in self.open:
            self.codes[-1] += data


def rendered():
    return side_by_side_html(PRIMAL, GENERATED, LINE_MAP, 11, ('loss <1>', 'grad of loss'))


def test_both_texts_are_complete_and_escaped():
    checker = Checker()
    checker.feed(rendered())
    assert checker.codes == [PRIMAL, GENERATED]
    assert not checker.open
    assert 'loss &lt;1&gt;' in rendered()


def test_nothing_is_loaded_and_nothing_is_run():
    checker = Checker()
    checker.feed(rendered())
    assert checker.links == []
    assert not re.search(r'<script|url\(|@import|http|\son\w+=', rendered())


def test_lines_of_one_origin_share_class_and_colour():
    lines = re.findall(r'class="tp-line tp-l(\d+) (tp-h\d)" data-n="([ \d]+)"', rendered())
    assert [(origin, number.strip()) for origin, _, number in lines] == [
        ('11', '11'), ('14', '14'), ('15', '15'), ('11', '4'), ('14', '6'), ('15', '7')]
    colours = {origin: hue for origin, hue, _ in lines}
    assert all(colours[origin] == hue for origin, hue, _ in lines)
    assert len(set(colours.values())) == 3


def test_hovering_or_focusing_a_line_lights_its_partners():
    for origin in (11, 14, 15):
        assert f'.tp-view:has(.tp-l{origin}:hover, .tp-l{origin}:focus-visible) .tp-l{origin}{{' in rendered()


def test_light_and_dark_follow_the_page_or_the_system():
    for theme in ('prefers-color-scheme:dark', '[data-jp-theme-light="true"]', '[data-jp-theme-light="false"]', 'vscode-dark'):
        assert theme in rendered()


def test_the_display_is_deterministic():
    assert rendered() == rendered()


def test_lines_outside_the_primal_are_not_linked():
    html = side_by_side_html(PRIMAL, GENERATED, {4: 3, 6: 99}, 11)
    assert 'tp-l3' not in html and 'tp-l99' not in html


def test_empty_texts_do_not_fail():
    assert side_by_side_html('', '', {}).count('<section') == 2


def in_terminal(renderable, width):
    console = Console(width=width, color_system=None, record=True, file=io.StringIO())
    console.print(renderable)
    return console.export_text()


def test_a_wide_terminal_has_them_beside_each_other():
    text = in_terminal(side_by_side(PRIMAL, GENERATED, LINE_MAP, 11, ('loss', 'grad of loss')), 120)
    assert any('y = x * x' in line and 'import' not in line and '14 ▌' in line for line in text.splitlines())
    assert '14 ▌     x_bar = 2.0 * x' in text
    assert text.splitlines()[0].count('╭') == 2


def test_a_narrow_terminal_has_them_one_above_the_other():
    text = in_terminal(side_by_side(PRIMAL, GENERATED, LINE_MAP, 11), 60)
    assert text.splitlines()[0].count('╭') == 1
    assert max(map(len, text.splitlines())) <= 60


def test_highlighting_keeps_the_text():
    shown = in_terminal(highlighted(GENERATED), 80)
    assert [line.rstrip() for line in shown.splitlines()] == GENERATED.rstrip().splitlines()


def test_transformed_functions_display_themselves_in_notebooks():
    def square(x):
        return x * x
    gradient = tp.grad(square)
    gradient(3.0)
    html = unescape(gradient._repr_html_())
    assert 'square' in html and 'square_grad' in html and 'tp-view' in html


def test_lines_of_called_functions_are_shown_and_linked():
    origins = {6: Origin('model.py', 14, 0, '    y = x * x'), 7: Origin('model.py', 3, 0, '    return helper'),
               2: Origin('other.py', 14, 0, '    return other')}
    html = side_by_side_html(PRIMAL, GENERATED, origins, 11, file='model.py')
    checker = Checker()
    checker.feed(html)
    assert checker.codes[0] == PRIMAL + '\n# called\n    return helper\n\n# called, from other.py\n    return other\n'
    for link in ('14', '3', '0-14'):
        assert len(re.findall(f'class="tp-line tp-l{link} ', html)) == 2
