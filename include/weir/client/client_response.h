#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/status.h"
#include "weir/web/awaited.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {

class Received;

class [[nodiscard("next() does nothing without co_await")]] NextReceived final : public Awaited {
   public:
    explicit NextReceived(Received& received) noexcept : received_{received} {}
    bool begin(Runner& runner);
    std::optional<std::string_view> await_resume();
    bool is_ready(Instant now) noexcept override;

   private:
    Received& received_;
};

}  // namespace detail

/// The response of another server. The content follows as the coroutine takes it: a slow coroutine
/// slows the server down. Movable. It belongs to the request whose coroutine asked for it, and to
/// its thread; the content of that request's own response, as stream() makes it, may read it, too.
/// If it is destroyed before its end, the connection to the server closes.
class ClientResponse {
   public:
    explicit ClientResponse(std::unique_ptr<detail::Received> received) noexcept;
    ClientResponse(ClientResponse&& other) noexcept;
    ClientResponse& operator=(ClientResponse&& other) noexcept;
    ~ClientResponse();

    // All texts live as long as the response.

    http::Status status() const noexcept;
    /// 2xx
    bool is_ok() const noexcept;
    /// The first field line with that name.
    std::optional<std::string_view> field(std::string_view name) const noexcept;
    /// All field lines, in order.
    std::vector<std::pair<std::string_view, std::string_view>> fields() const;
    /// The URL of the request, after redirects.
    const std::string& url() const noexcept;

    /// `co_await response.next()`: the next bytes of the content, at least one; nothing at the end.
    /// The bytes are valid until the next call. Throws ClientError.
    detail::NextReceived next() noexcept { return detail::NextReceived{*received_}; }
    /// `co_await response.all()`: the rest of the content. Throws ClientError, also if it is longer
    /// than ClientOptions::content_bytes_max.
    Task<std::string> all();
    /// After the end of the content: the first line with that name of its trailer section.
    std::optional<std::string_view> trailer(std::string_view name) const noexcept;

   private:
    std::unique_ptr<detail::Received> received_;
};

}  // namespace weir::web
