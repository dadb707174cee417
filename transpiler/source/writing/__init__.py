"""Writing: core programs as Python source."""
