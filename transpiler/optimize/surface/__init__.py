"""The look of the generated code: names, comprehensions, order of statements."""
