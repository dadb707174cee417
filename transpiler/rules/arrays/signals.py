"""`scipy.signal`: convolutions."""
import scipy.signal

from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import definition
from transpiler_kernels.definitions.samples import signals

LINES = case((5,), (3,)), case((2,), (4,), mode='same'), case((5,), (2,), mode='same'), case((3,), (5,), mode='valid')
PLANES = (case((3, 4), (2, 2)), case((4, 4), (3, 2), mode='same'), case((3, 4), (2, 2), mode='valid'),
          case((2, 2), (3, 4), mode='valid'))

definition(scipy.signal.convolve, name='scipy.signal.convolve', real_only=True, allowed={'method': ('auto', 'direct', 'fft')},
           examples=(*LINES, *PLANES[:2]))(signals.convolve)
definition(scipy.signal.fftconvolve, name='scipy.signal.fftconvolve', real_only=True, allowed={'axes': (None,)},
           examples=(*LINES, *PLANES))(signals.fftconvolve)
definition(scipy.signal.convolve2d, name='scipy.signal.convolve2d', examples=PLANES,
           allowed={'boundary': ('fill',), 'fillvalue': (0,)})(signals.convolve2d)
