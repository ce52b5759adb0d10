#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "weir/web/multipart.h"

namespace weir::web::detail {

/// Reads multipart/form-data (RFC 7578, RFC 2046 5.1.1) in pieces of any size. Throws Refusal for
/// malformed content and past a limit.
class MultipartParser {
   public:
    /// `content_type`: the value of the field, with the boundary. Throws Refusal with 415.
    MultipartParser(std::string_view content_type, MultipartLimits limits);

    enum class Result : unsigned char {
        more,      // call feed()
        part,      // call take_part()
        data,      // data() has bytes of the part
        part_end,  // end of the part's data
        end,       // end of all parts; later bytes are ignored
    };
    Result step();
    void feed(std::string_view bytes);
    /// Called at the end of the content. Throws Refusal if the last boundary is missing.
    void check_end() const;

    Part take_part() noexcept { return std::move(part_); }
    /// Valid until the next step() or feed().
    std::string_view data() const noexcept { return data_; }
    bool is_in_part() const noexcept { return state_ == State::data; }

   private:
    enum class State : unsigned char { preamble, delimiter, head, data, end };

    /// The start of a delimiter in left(), and whether its whole line is there.
    struct Delimiter {
        std::size_t at;
        bool is_whole;
    };

    std::string_view left() const noexcept { return std::string_view{buffer_}.substr(begin_); }
    Delimiter next_delimiter() const noexcept;
    Result skip_preamble();
    Result read_delimiter();
    Result read_head();
    Result read_data();
    void parse_head(std::string_view head);
    void parse_disposition(std::string_view value);

    MultipartLimits limits_;
    std::string delimiter_;        // with CRLF and two dashes
    std::string buffer_ = "\r\n";  // the first boundary may be at the very start
    std::size_t begin_ = 0;        // of the bytes that were not read yet
    State state_ = State::preamble;
    std::size_t parts_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t part_bytes_ = 0;
    Part part_{};
    std::string_view data_{};
};

}  // namespace weir::web::detail
