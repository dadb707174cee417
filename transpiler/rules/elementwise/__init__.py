"""Rules of what works item by item."""
