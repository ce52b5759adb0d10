#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::supervisor {

/// A request of a client of the control socket: one line, such as "reload\n".
enum class Request : std::uint8_t { reload, upgrade, stop, status };

std::string_view name_of(Request request);
std::optional<Request> request_named(std::string_view name);

/// Collects the line of a client, which may arrive in pieces.
class RequestLine {
   public:
    static constexpr std::size_t bytes_max = 64;

    enum class State : std::uint8_t { unfinished, finished, refused };
    /// Adds bytes until the line is finished, or refused because it is too long or has bytes that
    /// are not text.
    State add(std::string_view bytes);
    /// The finished line, without its line feed.
    const std::string& text() const noexcept { return text_; }

   private:
    std::string text_;
    State state_ = State::unfinished;
};

/// The answer to a request: "ok TEXT\n" or "error TEXT\n", then the end of the connection. TEXT may
/// have several lines.
struct Answer {
    bool is_ok = false;
    std::string text;
};
inline constexpr std::size_t answer_bytes_max = 65'536;
std::string write_answer(const Answer& answer);
/// Returns nothing if the text is not a complete answer.
std::optional<Answer> read_answer(std::string_view text);

}  // namespace weir::supervisor
