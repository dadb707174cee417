"""Numbers: ranges, precision, and which of them are integers."""
