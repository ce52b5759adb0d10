#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "weir/web/message_compression.h"

namespace weir::compress {

/// Decompresses the messages of WebSockets (RFC 7692 7.2.2), one at a time.
class Expander {
   public:
    virtual ~Expander() = default;
    /// See MessageCompression::expand().
    virtual web::MessageCompression::Expansion expand(std::string_view payload,
                                                      std::size_t bytes_max,
                                                      std::string& message) = 0;
};

/// Throws std::bad_alloc.
using MakeExpander = std::unique_ptr<Expander> (*)();

/// Null in a build without zlib.
extern const MakeExpander make_expander;

}  // namespace weir::compress
