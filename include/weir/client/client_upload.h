#pragma once

#include <memory>
#include <string_view>

#include "weir/client/client_response.h"
#include "weir/web/awaited.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {

struct Sending;

class [[nodiscard("write() does nothing without co_await")]] WriteSending final : public Awaited {
   public:
    /// `sending` is null for an upload that was moved from.
    WriteSending(Sending* sending, std::string_view bytes) noexcept
        : sending_{sending}, bytes_{bytes} {}
    bool begin(Runner& runner);
    bool await_resume() const;
    bool is_ready(Instant now) noexcept override;
    Instant due() const noexcept override;

   private:
    Sending* sending_;
    std::string_view bytes_;
};

}  // namespace detail

/// A request to another server whose content is made while it is sent. Movable. It belongs to the
/// request whose coroutine asked for it, and to its thread. If it is destroyed before response(),
/// the other server sees that the content is incomplete.
class ClientUpload {
   public:
    explicit ClientUpload(std::unique_ptr<detail::Sending> sending);
    ClientUpload(ClientUpload&& other) noexcept;
    ClientUpload& operator=(ClientUpload&& other) noexcept;
    ~ClientUpload();

    /// `co_await upload.write(bytes)`: adds to the content, and waits while too much of it was not
    /// sent. False: the server has responded and needs no more. Throws ClientError,
    /// std::length_error if the content is longer than it was said to be, and std::logic_error
    /// after response().
    detail::WriteSending write(std::string_view bytes) noexcept { return {sending_.get(), bytes}; }
    /// `co_await upload.response()`: ends the content, and waits for the head of the response.
    /// Once. Throws ClientError, and std::length_error if the content is shorter than it was said
    /// to be.
    Task<ClientResponse> response();

   private:
    std::shared_ptr<detail::Sending> sending_;
};

}  // namespace weir::web
