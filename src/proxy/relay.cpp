#include "proxy/relay.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/troubles.h"
#include "proxy/request_out.h"
#include "proxy/response_back.h"
#include "upstream/failure_answer.h"
#include "upstream/repeat.h"
#include "weir/http/origin.h"

namespace weir::proxy {
namespace {

using upstream::Failure;
using upstream::SharedExchange;
using Again = upstream::Name::Again;

/// Requests of a server whose connections fail are tried elsewhere, but not for ever.
constexpr std::size_t attempts_max = 7;

}  // namespace

/// The content of a request, on its way to the server.
class Relay::Upload final : public http::Sink {
   public:
    explicit Upload(std::shared_ptr<SharedExchange> exchange) : exchange_{std::move(exchange)} {}
    /// The last piece may have paused it. Cut content has no end: the server sees that it is
    /// incomplete.
    ~Upload() override {
        exchange_->waits_for_room = false;
        if (!is_cut_) exchange_->end_content();
    }

    Taken take(std::string_view bytes) override {
        exchange_->put(bytes);
        exchange_->waits_for_room = !exchange_->look().takes_content;
        return exchange_->waits_for_room ? Taken::paused : Taken::more;
    }
    void cut() noexcept override { is_cut_ = true; }

   private:
    const std::shared_ptr<SharedExchange> exchange_;
    bool is_cut_ = false;
};

Relay::Relay(Way& way, const http::Request& request)
    : way_{way},
      waker_{request.waker()},
      under_way_{way.servers.choose(waker_.now())},
      exchange_{std::make_shared<SharedExchange>(
          request_out(request, way.servers.first(), way.below, way.keeps_host), waker_)},
      has_content_{request.content_pending()},
      is_http_1_{request.major_version() == 1},
      is_repeatable_{upstream::is_idempotent(request.method()) && !has_content_} {
    begin(false);
}

void Relay::begin(bool fresh) {
    const upstream::Target& target = under_way_.server().target();
    const bool waits = way_.pool.begin(exchange_, target, waker_.postbox(), fresh);
    wait_.begin(waits, waker_.now(), way_.response_timeout);
}

http::Reply Relay::resume() {
    for (;;) {
        const auto seen = exchange_->look();
        if (seen.has_hints) return hints_back(exchange_->take_hints(), is_http_1_);
        if (seen.has_head) return answered();
        if (seen.failure != Failure::none) {
            wait_.end();
            const Again again = try_again(seen);
            if (again == Again::now) continue;
            if (again == Again::later) return http::Later{};
            return response_of(seen.failure);
        }
        if (wait_.is_in_vain(*exchange_, seen, waker_.now())) return response_of(Failure::busy);
        if (std::exchange(has_content_, false))
            return http::StreamContent{.sink = std::make_unique<Upload>(exchange_),
                                       .bytes_max = way_.content_bytes_max};
        if (exchange_->waits_for_room && seen.takes_content) {
            exchange_->waits_for_room = false;
            return http::StreamContent{};
        }
        return http::Later{};
    }
}

/// A 101 to a protocol that was not asked for breaks HTTP (RFC 9110 7.8).
http::Response Relay::answered() {
    if (!exchange_->answer().is_tunnel || has_asked_protocol(exchange_->answer()))
        return response_back(exchange_, std::move(under_way_), is_http_1_);
    exchange_->cancel();
    return response_of(Failure::malformed);
}

Again Relay::try_again(const SharedExchange::Seen& seen) {
    Server* const other = pause_server(seen.failure);
    if (attempts_ == attempts_max) return Again::no;
    if (other != nullptr && upstream::may_go_elsewhere(seen, is_repeatable_))
        change_to(*other, seen.failure);
    else if (!upstream::may_repeat(seen, is_repeatable_))
        return Again::no;
    else if (seen.failure == Failure::unreachable)
        if (const Again again = try_other_addresses(); again != Again::now) return again;
    ++attempts_;
    exchange_->restart();
    begin(seen.failure == Failure::stale);
    return Again::now;
}

/// Once for each request. It waits for a look-up under way.
Again Relay::try_other_addresses() {
    const auto& name = under_way_.server().target().changing;
    if (!name || of_name_ == OfName::tried) return Again::no;
    const bool is_asked = of_name_ == OfName::asked;
    const Again again = is_asked ? name->outcome() : name->ask(waker_.now(), &waker_);
    of_name_ = again == Again::later ? OfName::asked : OfName::tried;
    return again;
}

/// Returns the server that takes this request instead; null: there is none. One that accepts
/// connections is paused only if another takes its requests meanwhile, since it may have closed
/// this one for the request itself.
Server* Relay::pause_server(Failure failure) {
    if (!upstream::is_of_connection(failure)) return nullptr;
    Server& server = under_way_.server();
    const Instant now = waker_.now();
    if (failed_.empty() || failed_.back() != &server) failed_.push_back(&server);
    Server* const other = way_.servers.choose_other(failed_, now);
    if (failure == Failure::unreachable || (other != nullptr && !other->is_paused(now)))
        server.pause(now + way_.pause_after_failure);
    return other;
}

void Relay::change_to(Server& other, Failure failure) {
    const auto& name = under_way_.server().target().changing;
    if (name && failure == Failure::unreachable) name->ask(waker_.now());
    tell_operator(failure);  // the client hears nothing of it
    under_way_ = UnderWay{other};
}

std::optional<http::Response> Relay::refused(http::Status status, std::string_view /*reason*/) {
    exchange_->cancel();
    if (status != http::Status::service_unavailable) return std::nullopt;
    return response_of(Failure::timed_out);
}

http::Response Relay::response_of(Failure failure) const {
    tell_operator(failure);
    return response_to(failure);
}

void Relay::tell_operator(Failure failure) const {
    const std::string_view fault = upstream::fault_of(failure);
    if (fault.empty()) return;
    const std::string about = under_way_.server().target().url + ' ' + std::string{fault};
    troubles().note(Trouble::servers, about);
}

}  // namespace weir::proxy
