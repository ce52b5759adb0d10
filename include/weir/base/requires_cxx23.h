#pragma once

// Every other header of weir includes this one, directly or indirectly. An older compiler or an
// older language standard then reports one plain sentence before its other errors.
#if __cplusplus < 202100L || !__has_include(<expected>)
#error "weir needs C++23: use GCC 12, Clang 19 or later, with -std=c++23"
#endif
