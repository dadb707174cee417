"""Arrays of compiled code: where they lie, what shows them, what writes into them."""
