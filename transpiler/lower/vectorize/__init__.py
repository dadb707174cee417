"""Vectorization: loops over lanes, strip-mining of outer loops, fission."""
