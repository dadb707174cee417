"""`scipy.ndimage`: filters."""
import scipy.ndimage

from kernels.definitions import images
from transpiler.rules.examples import case
from transpiler.rules.registry import definition

PLAIN = {'output': (None,), 'axes': (None,)}
MODES = ('reflect', 'constant', 'nearest', 'wrap', 'mirror')
PLANES = (*(case((4, 5), (3, 2), mode=mode) for mode in MODES), case((5,), (3,)), case((3, 4), (2, 3), mode='constant', cval=0.5),
          case((4, 4), (3, 3), origin=1), case((4, 4), (3, 4), origin=[0, -1]), case((2, 3, 3), (2, 1, 2)))
LINES = (case((5,), (3,)), case((3, 4), (2,), axis=0, mode='nearest'), case((3, 4), (3,), origin=-1))

for function in (images.convolve, images.correlate):
    definition(getattr(scipy.ndimage, function.__name__), name=f'scipy.ndimage.{function.__name__}', real_only=True,
               allowed=PLAIN, examples=PLANES)(function)
for function in (images.convolve1d, images.correlate1d):
    definition(getattr(scipy.ndimage, function.__name__), name=f'scipy.ndimage.{function.__name__}', real_only=True,
               allowed={'output': (None,)}, examples=LINES)(function)
