"""What callers give the public functions: asked, by the name of each parameter, before anything is made of it."""
