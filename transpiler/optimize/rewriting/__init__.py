"""How passes rewrite: patterns, names, and facts about statements."""
