#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "http/hpack/response_head.h"
#include "weir/http/response.h"

namespace weir::http {

/// Field lines for many responses, rendered once for each protocol. Parts of them may be used alone.
class PreparedFields {
   public:
    /// A place between two lines.
    struct Mark {
        std::size_t line = 0;
        std::size_t block = 0;
    };

    PreparedFields() = default;
    explicit PreparedFields(std::string_view lines) { append(lines); }

    /// "Name: value\r\n"...
    void append(std::string_view lines) {
        lines_ += lines;
        block_ += http2::field_block(lines);
    }
    Mark begin() const noexcept { return {}; }
    Mark end() const noexcept { return {lines_.size(), block_.size()}; }

    /// The response borrows the lines between the marks.
    void lend(Response& to, Mark from, Mark behind) const {
        const auto part = [](std::string_view text, std::size_t first, std::size_t last) {
            return text.substr(first, last - first);
        };
        to.prepared_fields(part(lines_, from.line, behind.line),
                           part(block_, from.block, behind.block));
    }
    void lend(Response& to) const { to.prepared_fields(lines_, block_); }

    std::string_view lines() const noexcept { return lines_; }
    /// The memory in bytes.
    std::size_t bytes() const noexcept { return lines_.capacity() + block_.capacity(); }

   private:
    std::string lines_;
    std::string block_;
};

}  // namespace weir::http
