"""Functions of numbers and elements, in the language: of `math`, NumPy, `scipy.special`, `scipy.stats`, `scipy.integrate`."""
