"""What a call of a transformed function does: its arguments are abstracted, a specialisation is found or made, and run."""
