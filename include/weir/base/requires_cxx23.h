#pragma once

// Every other header of weir includes this one, directly or not. An older compiler or standard then
// says one plain sentence before its own messages.
#if __cplusplus < 202100L || !__has_include(<expected>)
#error "weir needs C++23: use GCC 12, Clang 17 or later, with -std=c++23"
#endif
