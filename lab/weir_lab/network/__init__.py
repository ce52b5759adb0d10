"""The network of a run: a namespace of its own, its devices, and what makes it slow."""
