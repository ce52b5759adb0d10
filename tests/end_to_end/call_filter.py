"""A filter of system calls (seccomp), as a container has one: makes calls fail in a process that is about to become weir.

`python3 call_filter.py ERROR NUMBER COMMAND...` runs the command with one call failing.
"""

import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
RET_ALLOW, RET_ERRNO = 0x7FFF0000, 0x00050000


def without_calls(*numbers, error=1):
    """Makes these calls fail, as a container does. For a process that is about to become weir."""
    def refuse():
        instructions = [(0x20, 0, 0, 0)]  # load the number; for each: if equal, return the error
        for number in numbers:
            instructions += [(0x15, 0, 1, number), (0x06, 0, 0, RET_ERRNO | error)]
        instructions.append((0x06, 0, 0, RET_ALLOW))
        program = b"".join(code.to_bytes(2, "little") + bytes((yes, no)) + value.to_bytes(4, "little")
                           for code, yes, no, value in instructions)
        memory = ctypes.create_string_buffer(program)

        class Program(ctypes.Structure):
            _fields_ = [("size", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
        described = Program(len(instructions), ctypes.addressof(memory))
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(described), 0, 0) != 0:
            os._exit(70)
    return refuse


if __name__ == "__main__":
    without_calls(int(sys.argv[2]), error=int(sys.argv[1]))()
    os.execv(sys.argv[3], sys.argv[3:])
