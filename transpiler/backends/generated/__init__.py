"""The modules in the cache directory, importable by name: `transpiler.backends.generated.loss_grad_0123456789abcdef`."""
from transpiler.backends import cache

__path__ = [str(cache.directory())]
