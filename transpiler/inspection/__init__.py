"""Looking at generated code: primal and derivative side by side, linked line by line, in a notebook or a terminal."""
from transpiler.inspection.html import side_by_side_html
from transpiler.inspection.messages import coloured
from transpiler.inspection.progress import Progress
from transpiler.inspection.terminal import highlighted, side_by_side

__all__ = ['Progress', 'coloured', 'highlighted', 'side_by_side', 'side_by_side_html']
