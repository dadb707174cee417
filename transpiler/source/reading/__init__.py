"""Reading: the user's functions as trees."""
