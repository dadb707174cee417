"""Abstract values: types and symbolic sizes of run-time numbers and arrays, as NumPy gives them."""
