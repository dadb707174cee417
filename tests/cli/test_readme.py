"""The README shows what the command really writes; `--update-golden` puts the present output into it."""
import re
from pathlib import Path

README = Path(__file__).parents[2] / 'README.md'
PAIR = re.compile(r'(?<=```python\n)(.*?)(?=```)', re.DOTALL)


def test_the_first_example_is_real_output(transpile, tmp_path, request):
    text = README.read_text()
    primal, generated = PAIR.findall(text)[:2]
    (tmp_path / 'smooth.py').write_text(primal)
    result = transpile(tmp_path / 'smooth.py', '--grad', 'smooth', '--args', 'np.ones(5), 3', '--check')
    assert result.status == 0, result.err
    shown = result.out.partition('\n')[2].partition('\n')[2]
    if request.config.getoption('--update-golden'):
        README.write_text(text.replace(generated, shown))
    else:
        assert generated == shown
