"""Memory: aliases, views, effects, order of items, and when a buffer dies."""
