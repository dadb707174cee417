"""Functions of samples, in the language: transforms, histograms, signals, statistics."""
