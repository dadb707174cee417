"""What kernels stand on: machine code on disk, addresses, private files, exceptions and texts."""
