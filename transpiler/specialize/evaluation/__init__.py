"""What the evaluator is made of: components, dispatch tables, frames, signals."""
