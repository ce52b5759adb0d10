#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>

#include "weir/http/limits.h"

namespace weir::tests {

/// What a fuzzer makes of its bytes: a text, and behind it four bytes that say how to play it.
struct FuzzInput {
    std::string_view text;
    std::size_t cut = 0;  // at most the text's size
    std::uint8_t choice = 0;
    http::Limits limits;

    static constexpr std::size_t control_size = 4;

    static FuzzInput from(std::string_view bytes) {
        FuzzInput input;
        const std::string control{bytes.substr(bytes.size() - control_size)};
        const auto number = [&](std::size_t at) { return static_cast<std::uint8_t>(control[at]); };
        input.text = bytes.substr(0, bytes.size() - control_size);
        input.cut = (number(0) * 256u + number(1)) % (input.text.size() + 1);
        input.choice = number(2);
        if ((number(3) & 1) != 0) input.limits = small_limits();
        return input;
    }

   private:
    static http::Limits small_limits() {
        http::Limits limits;
        limits.request_line_bytes_max = 60;
        limits.field_line_bytes_max = 40;
        limits.head_bytes_max = 200;
        limits.fields_max = 6;
        limits.content_bytes_max = 20;
        limits.chunk_line_bytes_max = 12;
        limits.chunk_extension_bytes_max = 16;
        limits.trailer_bytes_max = 30;
        limits.pipelined_output_bytes_max = 300;
        limits.requests_per_connection_max = 4;
        return limits;
    }
};

/// Bytes in memory of exactly their size, so that a sanitizer sees a read past them.
class ExactCopy {
   public:
    explicit ExactCopy(std::string_view bytes)
        : size_{bytes.size()}, bytes_{std::make_unique<char[]>(size_)} {
        bytes.copy(bytes_.get(), size_);
    }
    std::string_view view() const noexcept { return {bytes_.get(), size_}; }

   private:
    std::size_t size_;
    std::unique_ptr<char[]> bytes_;
};

/// Ends the process if something is not as it must be, in release builds too.
inline void require(bool good,
                    const std::source_location& where = std::source_location::current()) {
    if (good) return;
    std::fprintf(stderr, "%s:%u: what is required does not hold\n", where.file_name(),
                 static_cast<unsigned>(where.line()));
    std::abort();
}

/// Takes the text up to a line break, or all of it.
inline std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
}

/// One of each program.
void fuzz(const FuzzInput& input);

}  // namespace weir::tests
