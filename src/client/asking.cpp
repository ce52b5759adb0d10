#include "client/asking.h"

#include <new>
#include <stdexcept>

#include "upstream/failure_answer.h"
#include "upstream/repeat.h"
#include "upstream/target.h"

namespace weir::web::detail {

using upstream::Failure;
using upstream::Outgoing;

namespace {

/// The way back to the coroutine that waits.
class OwnWaker final : public Awaited {
   public:
    bool begin(Runner& runner) {
        waker_.emplace(runner.waker());
        return false;
    }
    http::Waker await_resume() { return std::move(*waker_); }
    bool is_ready(Instant /*now*/) noexcept override { return true; }

   private:
    std::optional<http::Waker> waker_;
};

ClientError::Reason reason_of(Failure failure) noexcept {
    using enum ClientError::Reason;
    switch (failure) {
        case Failure::busy: return busy;
        case Failure::insecure:
        case Failure::unknown_ca:
        case Failure::wrong_host:
        case Failure::out_of_date: return insecure;
        case Failure::stale:
        case Failure::closed: return closed;
        case Failure::malformed: return malformed;
        case Failure::too_large: return too_large;
        case Failure::timed_out: return timed_out;
        case Failure::stopped: return stopped;
        case Failure::out_of_memory: return out_of_memory;
        case Failure::none:
        case Failure::unreachable: break;
    }
    return unreachable;
}

upstream::Target target_of(const Url& url) {
    auto target = upstream::parse_target(url.origin());
    if (!target) throw std::invalid_argument{target.error()};
    return std::move(*target);
}

}  // namespace

Asking::Asking(Client::State& client, Outgoing request, Url url, upstream::Target server,
               http::Waker waker, bool is_streamed)
    : client_{client},
      url_{std::move(url)},
      server_{std::move(server)},
      waker_{std::move(waker)},
      exchange_{std::make_shared<SharedExchange>(std::move(request), waker_)},
      is_repeatable_{upstream::is_idempotent(exchange_->request().method) && !is_streamed} {
    begin(false);
}

void Asking::begin(bool fresh) {
    const bool waits = client_.pool.begin(exchange_, server_, waker_.postbox(), fresh);
    wait_.begin(waits, waker_.now(), client_.options.response_timeout);
}

SharedExchange::Seen Asking::look() noexcept {
    auto seen = exchange_->look();
    if (wait_.is_in_vain(*exchange_, seen, waker_.now())) {
        seen.failure = Failure::busy;
        return seen;
    }
    try {
        while (seen.failure != Failure::none && try_again(seen)) seen = exchange_->look();
    } catch (const std::bad_alloc&) {
        seen.failure = Failure::out_of_memory;
    }
    return seen;
}

bool Asking::try_again(const SharedExchange::Seen& seen) {
    if (seen.has_head || !upstream::may_repeat(seen, is_repeatable_)) return false;
    if (seen.failure == Failure::unreachable) client_.names.doubt(server_);
    if (seen.failure == Failure::unreachable || std::exchange(has_repeated_, true)) return false;
    exchange_->restart();
    begin(true);
    return true;
}

ClientError Asking::error(Failure failure) const {
    const auto [status, sentence] = upstream::answer_to(failure);
    return {reason_of(failure), status, sentence, url_.text()};
}

Task<std::unique_ptr<Asking>> ask(Client::State& client, Outgoing request, Url url,
                                  bool is_streamed) {
    const http::Waker waker = co_await OwnWaker{};
    upstream::Target server = target_of(url);
    if (client.unix_socket)
        server.addresses = {*client.unix_socket};
    else if (waker.postbox()->has_network())
        server.addresses = co_await client.names.find(server, waker.now());
    else
        server.addresses.emplace_back();  // a test plays all servers
    if (server.addresses.empty())
        throw ClientError{ClientError::Reason::no_address, http::Status::bad_gateway,
                          "The server behind this one has no address", url.text()};
    co_return std::make_unique<Asking>(client, std::move(request), std::move(url),
                                       std::move(server), waker, is_streamed);
}

}  // namespace weir::web::detail
