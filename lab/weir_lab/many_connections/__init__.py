"""Very many connections to one server on this machine, opened in steps. Measures the memory that each takes, and checks
that the server still answers on every one."""
