"""Memory: buffers that are reused, copies that are not needed."""
