#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "weir/http/response.h"

namespace weir::compress {

/// The size of a content in bytes; nothing if a source does not know it.
std::optional<std::uint64_t> size_of(const http::Response::Content& content);

/// The content of an answer, read in pieces.
class Input {
   public:
    Input() noexcept = default;
    /// `owner` keeps what the content borrows.
    Input(http::Response::Content content, std::shared_ptr<const void> owner) noexcept;

    enum class State : std::uint8_t { more, not_ready, end, failed };
    struct Piece {
        State state;
        std::string_view bytes{};  // at least one with `more`; valid until the next call
    };
    Piece next();

    /// The source that it reads; null if it reads none.
    http::Source* source() const noexcept;

    static constexpr std::size_t piece_bytes_max = 16 * 1024;

   private:
    Piece of_source(http::Source& source);
    Piece of_file();
    char* buffer();

    http::Response::Content content_;
    std::shared_ptr<const void> owner_;
    std::size_t taken_ = 0;  // of content in memory
    http::FileRange file_;   // what is left of a file
    std::unique_ptr<char[]> buffer_;
};

}  // namespace weir::compress
