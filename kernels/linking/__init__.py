"""How compiled programs and kernels are linked to the kernels that they call.

Numba copies into each program all that it calls, and compiles that along with the rest. Here a large kernel has one symbol, the
same in every process: programs declare it, and where they are kept on disk its machine code is kept with them.
"""
