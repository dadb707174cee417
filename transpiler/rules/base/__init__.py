"""The registry of rules, and what rules are made of."""
