"""What lowering knows while it writes: values with their dtypes, conversions, and the registry of primitives."""
