"""The command weir-lab."""
