#pragma once

#include <cstdint>

#include "answer.h"

namespace lab {

/// What a system call returned; where that is a failure, the program says it and ends.
int checked(int result, const char* what);

/// `--port P [--bytes N] [--workers N] [--sendfile BYTES]`: runs `serve` on so many threads, each
/// with a listening socket of its own on that port of 127.0.0.1. Ends at SIGTERM, as any program
/// does.
/// `--sendfile`: answers of that many bytes and more are sent by sendfile(2).
/// `connections_max`: as many as descriptors allow.
int run(int argc, char** argv,
        void (*serve)(int listener, const Answers& answers, unsigned connections_max));

}  // namespace lab
