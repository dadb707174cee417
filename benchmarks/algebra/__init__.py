"""Gradients of linear algebra and Fourier transforms, on matrices of 200 x 200 in double precision."""
