"""The kernel's own counts: sockets, segments, CPU time, interrupts, and the processor's counters."""
