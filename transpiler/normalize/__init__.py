"""The fence and desugaring: from the user's statements to those that the specialiser runs."""
