"""Storage: residuals, rematerialization and checkpoints between the two sweeps."""
