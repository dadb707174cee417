"""Products, factors, decompositions and spectra for compiled code, by BLAS and LAPACK."""
