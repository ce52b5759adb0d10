#pragma once

#include <array>

#include "unit/site/temporary_tree.h"

namespace weir::site {

/// A request for each kind of answer of a site.
struct Asked {
    const char* line;
    const char* field;
    unsigned status;
};

inline constexpr std::array<Asked, 16> every_answer{{
    {"GET /a.txt", "X-Y: z", 200},
    {"HEAD /a.txt", "X-Y: z", 200},
    {"GET /a.txt", "Range: bytes=0-1", 206},
    {"GET /a.txt", "Range: bytes=0-0,2-2", 206},
    {"GET /a.txt", "If-None-Match: *", 304},
    {"GET /docs", "X-Y: z", 301},
    {"GET /docs/", "X-Y: z", 200},
    {"GET /%zz", "X-Y: z", 400},
    {"GET /missing", "X-Y: z", 404},
    {"POST /a.txt", "X-Y: z", 405},
    {"GET /a.txt", "Accept-Encoding: identity;q=0", 406},
    {"GET /a.txt", "If-Match: \"x\"", 412},
    {"GET /a.txt", "Range: bytes=99-", 416},
    {"BREW /a.txt", "X-Y: z", 501},
    {"OPTIONS /a.txt", "X-Y: z", 204},
    {"OPTIONS *", "X-Y: z", 204},
}};

/// Writes the files for these requests. The folder needs a listing.
inline void write_for_every_answer(const TemporaryTree& tree) {
    tree.write("a.txt", "text");
    tree.directory("docs");
}

}  // namespace weir::site
