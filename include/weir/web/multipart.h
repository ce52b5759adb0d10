#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/web/await.h"
#include "weir/web/body.h"
#include "weir/web/call.h"
#include "weir/web/refusal.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {
class MultipartParser;
}  // namespace detail

/// Limits of one multipart form. More is a Refusal with 413.
struct MultipartLimits {
    std::size_t parts_max = 100;
    std::size_t part_head_bytes_max = 8 * 1024;
    std::uint64_t part_bytes_max = 64 * 1024 * 1024;  // of one part's data
    std::uint64_t bytes_max = 256 * 1024 * 1024;      // of the whole content
};

/// The head of one part (RFC 7578).
struct Part {
    std::string name{};
    /// The peer's name of its file; empty for a field. Decoded as browsers encode it: %22, %0D and
    /// %0A become a quote and line ends, a backslash stands for itself, and bytes beyond ASCII stay
    /// as they were sent (UTF-8, if the page is in UTF-8). It may be any text: never use it as a
    /// path.
    std::string file_name{};
    std::string media_type{};  // as sent, with parameters; "text/plain" if there is none
};

/// Reads multipart/form-data as it arrives, for a coroutine:
///
///     Multipart form{call};
///     while (const auto part = co_await form.next())
///         while (const auto bytes = co_await form.piece()) ...
///
/// All members throw Refusal with 400 for malformed content, and with 413 past a limit. If the
/// coroutine does not catch it, the Refusal is the response.
class Multipart {
   public:
    /// Throws Refusal with 415 if the content has another type. `call` must outlive this object.
    explicit Multipart(Call& call, MultipartLimits limits = {});
    ~Multipart();
    Multipart(const Multipart&) = delete;
    Multipart& operator=(const Multipart&) = delete;

    /// The next part; the remaining bytes of the previous part are skipped. Null at the end.
    Task<std::optional<Part>> next();
    /// The next bytes of the part, at least one, valid until the next call; null at its end.
    Task<std::optional<std::string_view>> piece();
    /// The remaining bytes of the part. Throws Refusal with 413 if they are more than `bytes_max`.
    Task<std::string> text(std::size_t bytes_max = 64 * 1024);
    /// Writes the remaining bytes of the part to a new file, on another thread, and returns its
    /// size. The file must not exist. Throws std::system_error if it cannot be written; then, and
    /// if the content ends early, the file is removed.
    Task<std::uint64_t> save(Workers& workers, std::string path);

   private:
    std::unique_ptr<detail::MultipartParser> parser_;
    Body body_;
};

}  // namespace weir::web
