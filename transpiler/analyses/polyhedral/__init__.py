"""Affine accesses: dependences between iterations, and loops whose iterations are independent."""
