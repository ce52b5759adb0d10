"""What the kernel tells and does: processes, sockets, control groups and the messages of netlink."""
