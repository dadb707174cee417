"""The specialiser: a partial evaluator, from functions and abstract values of their arguments to typed core programs."""
