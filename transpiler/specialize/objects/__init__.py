"""Objects: instances, attributes, special methods, and values captured from outside."""
