"""`weir-lab add NAME -- COMMAND`: tries a server, and writes the tables that bring it into an experiment."""
