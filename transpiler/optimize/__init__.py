"""Passes from core to core that keep the meaning: less work, shorter text."""
from transpiler.optimize.pipeline import optimize, raised, surface

__all__ = ['optimize', 'raised', 'surface']
