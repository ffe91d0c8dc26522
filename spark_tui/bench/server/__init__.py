"""A server in a process of its own, the wire to it, and its clients."""
