"""Does the work of a server that is not its parent: `helper_process.py SOCKET` computes for each byte that comes."""

import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(sys.argv[1])
    listener.listen()
    if os.fork() != 0:  # the parent ends, so that nobody is the parent of the one that works
        os._exit(0)
    connection, _ = listener.accept()
    while connection.recv(1):
        sum(range(5000))
        connection.send(b"!")
