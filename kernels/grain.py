"""How much threads must have to do to share a loop; known without the threads, which start when they are imported."""

OPERATIONS = 50_000  # simple ones, of a part that is worth a thread's attention: one to twenty microseconds
