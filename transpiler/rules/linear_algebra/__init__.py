"""Rules of products, decompositions, and solutions of systems."""
