#include "server/proxied/proxied_connection.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/troubles.h"
#include "server/proxied/proxy_header.h"

namespace weir::server {

namespace {
constexpr std::chrono::milliseconds first_bytes_grace{1'000};  // once the server stops
}

ProxiedConnection::ProxiedConnection(const Connect& connect, http::Workspace& workspace,
                                     http::Origin& origin, Now now)
    : connect_{connect}, workspace_{workspace}, origin_{origin}, memory_{workspace.memory} {
    if (workspace.timeouts.head.count() != 0) deadline_ = now.instant + workspace.timeouts.head;
}

http::CloseImpact ProxiedConnection::do_close_impact() const noexcept {
    return inner_ ? PassingOn::do_close_impact() : http::CloseImpact::unfinished;
}

void ProxiedConnection::do_receive(std::string_view bytes, Now now) {
    if (inner_) return PassingOn::do_receive(bytes, now);
    receive_header(bytes, now);
}

void ProxiedConnection::receive_header(std::string_view bytes, Now now) {
    const bool is_continued = !header_.empty();
    if (is_continued) {
        keep(bytes);
        bytes = header_;
    }
    ProxyHeader header = read_proxy_header(bytes);
    if (header.state == ProxyHeader::State::malformed) {
        troubles().note(Trouble::proxy_headers);
        return close();
    }
    if (header.state == ProxyHeader::State::incomplete) {
        if (!is_continued) keep(bytes);
        return;
    }
    begin(std::move(header.address), now);
    bytes.remove_prefix(header.size);
    if (!bytes.empty()) inner_->receive(bytes, now);
    if (is_continued) {
        inner_->take_ownership(now);  // the rest is borrowed
        std::string{}.swap(header_);
        memory_.resize(0);
    }
    show();
}

void ProxiedConnection::keep(std::string_view more) {
    header_.append(more);
    if (!memory_.resize(header_.capacity())) throw std::bad_alloc{};
}

void ProxiedConnection::begin(std::string address, Now now) {
    if (!address.empty())
        client_ = std::make_shared<http::ClientOrigin>(origin_, std::move(address));
    inner_ = connect_(workspace_, client_ ? *client_ : origin_, now);
    if (is_retired_) inner_->retire(now);
}

// ---- before the header is whole, there is no connection to pass anything on to ---- there is no
// connection to pass anything on to ----

void ProxiedConnection::do_receive_end(Now now) {
    if (inner_) return PassingOn::do_receive_end(now);
    close();
}

void ProxiedConnection::do_expire(Now now, std::uint64_t queued) {
    if (inner_) return PassingOn::do_expire(now, queued);
    if (now.instant < deadline_) return;
    troubles().note(Trouble::slow_peers);
    close();
}

void ProxiedConnection::do_turn_away(Now now) {
    if (inner_) return PassingOn::do_turn_away(now);
    close();
}

void ProxiedConnection::do_evict(Now now) {
    if (inner_) return PassingOn::do_evict(now);
    close();
}

void ProxiedConnection::do_retire(Now now) {
    is_retired_ = true;
    if (inner_) return PassingOn::do_retire(now);
    deadline_ = std::min(deadline_, now.instant + first_bytes_grace);
}

void ProxiedConnection::do_fail(http::Outcome why, Now now) {
    if (inner_) return PassingOn::do_fail(why, now);
    close();
}

void ProxiedConnection::do_take_ownership(Now now) {
    if (inner_) PassingOn::do_take_ownership(now);
}

void ProxiedConnection::close() noexcept {
    step_ = http::Step::close;
    deadline_ = never;
}

}  // namespace weir::server
