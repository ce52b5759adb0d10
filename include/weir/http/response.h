#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "weir/base/instant.h"
#include "weir/http/status.h"

namespace weir::http {

/// A part of an open file; `offset` and `size` in bytes. The core never reads the file; the engine
/// sends it. The caller keeps the descriptor open until the response was sent; see
/// Response::retain().
struct FileRange {
    int fd = -1;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// The end of a response.
enum class Outcome : std::uint8_t {
    sent,       // the kernel took the last byte
    peer_gone,  // the peer closed or reset the connection
    timed_out,  // for too long, the peer took nothing or the source gave nothing
    source_failed,
    stopped,        // the server stopped before the end
    out_of_memory,  // the server had no memory left for the response
};

class Tunnel;

/// Gives content of unknown or large size, as fast as the peer takes it. The thread that drives the
/// connection makes all calls, one at a time. No call may block. An exception from pull() counts as
/// Failed.
class Source {
   public:
    /// pull() wrote `size` bytes, at least one, into `into`.
    struct Ready {
        std::size_t size;
    };
    /// A part of a file comes next. pull() wrote nothing into `into`.
    struct File {
        FileRange range;
    };
    /// Nothing yet: call Waker::wake() when there is more, or see due(). pull() is not called again
    /// before the kernel has taken all earlier bytes.
    struct NotReady {};
    struct End {};
    /// The connection closes, so that the peer sees that the content is incomplete.
    struct Failed {};
    using Pulled = std::variant<Ready, File, NotReady, End, Failed>;

    virtual ~Source() = default;
    virtual Pulled pull(std::span<char> into) = 0;
    /// The size of the whole content in bytes, if it is known. The response then has Content-Length
    /// and is not chunked.
    virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
    /// Field lines that follow the content: "name: value\r\n"... Called after End, and after the
    /// last byte of a known size. HTTP/2 sends the lines, HTTP/1.1 only if the content is chunked.
    /// Names are tokens, values have no CR, LF or NUL; RFC 9110 6.5.1 says which fields may be
    /// trailers.
    virtual std::string_view trailers() const { return {}; }
    /// After NotReady: the latest time for the next pull(), by the clock of Postbox::now(). A time
    /// that has passed means: as soon as the kernel has taken all earlier bytes of the source.
    virtual Instant due() const noexcept { return never; }
    /// The memory that the source keeps, in bytes. It counts towards the memory limit of all
    /// connections (server::Options::memory_max). Called when the thread turns to others.
    virtual std::size_t bytes() const noexcept { return 0; }
    /// Called when the server stops, if the content is not complete. A source that would never end
    /// ends soon: pull() is called as after Waker::wake(). Others go on, within
    /// server::Options::stop_timeout.
    virtual void retire() noexcept {}
    /// The peer has shut down its side while the source pauses. True: the response ends with
    /// done(Outcome::peer_gone). See Continuation::ends_with_peer().
    virtual bool ends_with_peer() const noexcept { return false; }
    /// Called once, before the source is destroyed.
    virtual void done(Outcome) noexcept {}
    /// For Tunnel.
    virtual Tunnel* tunnel() noexcept { return nullptr; }
};

/// One response. The core adds Date, Connection, Content-Length and Transfer-Encoding.
class Response {
   public:
    using Content = std::variant<std::monostate, std::string_view, std::string, FileRange,
                                 std::unique_ptr<Source>>;

    /// Throws as final_status() does.
    explicit Response(Status status = Status::ok) : word_{.status = final_status(status)} {}

    /// Appends a field line. A field that may come once only, for example Content-Type, replaces
    /// the one that is there (RFC 9110 5.3). Throws std::invalid_argument if the name is not a
    /// token, if the value contains a control character other than tab, or if the core adds this
    /// field itself.
    Response& add(std::string_view name, std::string_view value) &;
    Response&& add(std::string_view name, std::string_view value) &&;
    /// Replaces all field lines of that name by one. Throws as add() does.
    Response& set(std::string_view name, std::string_view value) &;
    Response&& set(std::string_view name, std::string_view value) &&;
    /// Adds a member to a field that is a list (RFC 9110 5.6.1), such as Vary: at the end of its last
    /// line, or in a line of its own if there is none. Throws as add() does.
    Response& append(std::string_view name, std::string_view member) &;
    Response&& append(std::string_view name, std::string_view member) &&;
    /// Removes all field lines of that name.
    Response& remove(std::string_view name) &;
    Response&& remove(std::string_view name) &&;
    /// The value of the first field line of that name, compared without regard to case; nothing if
    /// there is none, and for fields that the core adds. Valid until the response changes.
    std::optional<std::string_view> get(std::string_view name) const noexcept;
    /// Adds rendered field lines ("Name: value\r\n"...). They are borrowed and must live until the
    /// response was sent; see retain(). They replace fields of the same name as add() does, and
    /// those of an earlier call: text() and the like of weir::web give the content type this way.
    /// `block` is borrowed, too: the same lines as a field block of HTTP/2 without references to the
    /// dynamic table (RFC 7541). If it is empty, the block is made from the lines.
    Response& prepared_fields(std::string_view lines, std::string_view block = {}) & {
        if (!fields_.empty() || !prepared_fields_.empty()) drop_own_singletons(lines);
        prepared_fields_ = lines;
        prepared_block_ = block;
        return *this;
    }

    /// The response owns `bytes`.
    Response& content(std::string bytes) & {
        content_ = std::move(bytes);
        return *this;
    }
    /// Borrows `bytes`: static memory, or memory that the owner given to retain() keeps alive.
    Response& content_view(std::string_view bytes) & {
        content_ = bytes;
        return *this;
    }
    Response& content(FileRange range) & {
        content_ = range;
        return *this;
    }
    Response& content(std::unique_ptr<Source> source) & {
        content_ = std::move(source);
        return *this;
    }

    /// Adds Upgrade and "Connection: Upgrade": the server could change to `protocol`. Throws as
    /// add() does.
    Response& offer_upgrade(std::string_view protocol) &;
    /// Changes to `protocol`, a token: 101 with Upgrade, or 200 in HTTP/2. If can_upgrade() is
    /// false, the peer gets a 500. See weir/http/tunnel.h. Throws as add() does.
    Response& upgrade(std::string_view protocol, std::unique_ptr<Tunnel> tunnel) &;

    /// Keeps `owner` until the response was sent, and with it the borrowed parts of the response:
    /// prepared fields, content, the descriptor.
    Response& retain(std::shared_ptr<const void> owner) & {
        owner_ = std::move(owner);
        return *this;
    }
    /// Closes the connection after this response.
    Response& close() & {
        word_.closes = true;
        return *this;
    }

    /// Throws as final_status() does.
    Response& status(Status status) & {
        word_.status = final_status(status);
        return *this;
    }

    /// The time at which another server made this response, in seconds since 1970: its Date (RFC
    /// 9110 6.6.1). 0, and what is not in the years 1970 to 2105: the present time.
    Response& date(std::int64_t unix_seconds) & {
        const bool fits = unix_seconds > 0 && unix_seconds <= UINT32_MAX;
        word_.date = fits ? static_cast<std::uint32_t>(unix_seconds) : 0;
        return *this;
    }

    Status status() const noexcept { return word_.status; }
    std::int64_t date() const noexcept { return word_.date; }
    std::string_view own_fields() const noexcept { return fields_; }
    std::string_view prepared_fields() const noexcept { return prepared_fields_; }
    std::string_view prepared_block() const noexcept { return prepared_block_; }
    bool closes() const noexcept { return word_.closes; }
    Content& content() noexcept { return content_; }
    const Content& content() const noexcept { return content_; }
    std::shared_ptr<const void>& owner() noexcept { return owner_; }

   private:
    void put(std::string_view name, std::string_view value);
    void own_prepared();
    void drop(std::string_view name);
    void drop_own_singletons(std::string_view prepared);

    /// One word, which moves as one.
    struct Word {
        Status status;
        bool closes = false;
        std::uint32_t date = 0;
    };

    Word word_;
    std::string fields_;
    std::string_view prepared_fields_;
    std::string_view prepared_block_;  // the same for HTTP/2; may be empty
    Content content_;
    std::shared_ptr<const void> owner_;
};

/// A small page that shows and explains the status. `detail` replaces the explanation if it is not
/// empty: one sentence of plain text without its full stop. The page escapes it.
Response error_response(Status status, std::string_view detail = {});

}  // namespace weir::http
