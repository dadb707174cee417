"""What several transformations need: copies, mutation, placeholders, sizes."""
