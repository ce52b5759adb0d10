#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "client/names.h"
#include "client/url.h"
#include "net/address.h"
#include "upstream/connection_wait.h"
#include "upstream/pool.h"
#include "upstream/shared_exchange.h"
#include "upstream/target.h"
#include "weir/client/client.h"
#include "weir/web/awaited.h"
#include "weir/web/task.h"

namespace weir::web {

/// The parts of a client that its requests share.
struct Client::State {
    explicit State(ClientOptions of);

    const ClientOptions options;
    std::optional<net::Address> unix_socket;
    upstream::Pool pool;
    detail::Names names;
};

namespace detail {

using upstream::SharedExchange;

/// A request on its way to a server. The thread of the request that wants it makes all calls.
class Asking {
   public:
    /// `is_streamed`: the content comes later.
    Asking(Client::State& client, upstream::Outgoing request, Url url, upstream::Target server,
           http::Waker waker, bool is_streamed);
    /// The server hears that nobody waits, unless the response is complete.
    ~Asking() { exchange_->cancel(); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    /// Of a failure, the request is given to another connection, if that does no harm.
    SharedExchange::Seen look() noexcept;
    /// The request fails then, if it still waits for one of ClientOptions::connections_max.
    Instant waits_until() const noexcept { return wait_.until(); }
    SharedExchange& exchange() noexcept { return *exchange_; }
    const SharedExchange& exchange() const noexcept { return *exchange_; }
    const Url& url() const noexcept { return url_; }
    ClientError error(upstream::Failure failure) const;

   private:
    void begin(bool fresh);
    bool try_again(const SharedExchange::Seen& seen);

    Client::State& client_;
    const Url url_;
    const upstream::Target server_;
    const http::Waker waker_;
    const std::shared_ptr<SharedExchange> exchange_;
    const bool is_repeatable_;
    bool has_repeated_ = false;  // after a kept connection was stale
    upstream::ConnectionWait wait_;
};

/// The wait for the head of the response.
class HeadWait final : public Awaited {
   public:
    explicit HeadWait(Asking& asking) noexcept : asking_{asking} {}
    bool begin(Runner& runner) noexcept { return !is_ready(runner.now()); }
    /// Throws ClientError.
    void await_resume() const {
        if (!seen_.has_head) throw asking_.error(seen_.failure);
    }
    bool is_ready(Instant /*now*/) noexcept override {
        seen_ = asking_.look();
        return seen_.has_head || seen_.failure != upstream::Failure::none;
    }
    Instant due() const noexcept override { return asking_.waits_until(); }

   private:
    Asking& asking_;
    SharedExchange::Seen seen_;
};

/// Gives the request to a connection to the URL's server. Throws ClientError if the server has no
/// address. Name the task before it is awaited: GCC before 13 destroys arguments that are
/// aggregates twice in an expression with `co_await`.
Task<std::unique_ptr<Asking>> ask(Client::State& client, upstream::Outgoing request, Url url,
                                  bool is_streamed);

}  // namespace detail
}  // namespace weir::web
