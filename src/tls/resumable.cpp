#include "tls/resumable.h"

#include <utility>

namespace weir::tls {

void ResumableOfHost::resume(SSL& ssl) noexcept {
    SSL_set_app_data(&ssl, this);
    // Without memory for it, the handshake is a whole one.
    if (const SessionHandle session = take()) SSL_set_session(&ssl, session.get());
}

/// RFC 8446 C.4: a ticket of TLS 1.3 that is used twice lets others see that both connections have
/// the same client. A session of TLS 1.2 stays.
SessionHandle ResumableOfHost::take() noexcept {
    const std::scoped_lock lock{mutex_};
    for (std::size_t i = 0; i < sessions_max; ++i) {
        const std::size_t at = (next_ + sessions_max - 1 - i) % sessions_max;
        SessionHandle& kept = sessions_[at];
        if (!kept) continue;
        if (SSL_SESSION_get_protocol_version(kept.get()) >= TLS1_3_VERSION) {
            next_ = at;
            return std::move(kept);
        }
        return SSL_SESSION_up_ref(kept.get()) == 1 ? SessionHandle{kept.get()} : nullptr;
    }
    return nullptr;
}

void ResumableOfHost::add(SessionHandle session) noexcept {
    const std::scoped_lock lock{mutex_};
    sessions_[next_] = std::move(session);
    next_ = (next_ + 1) % sessions_max;
}

/// A copy: OpenSSL spoils the session of a connection that ends without a word (SSL_free(3)).
int ResumableOfHost::keep(SSL* ssl, SSL_SESSION* session) noexcept {
    constexpr int not_taken = 0;
    auto* const own = static_cast<ResumableOfHost*>(SSL_get_app_data(ssl));
    if (own == nullptr) return not_taken;
    if (SessionHandle copy{SSL_SESSION_dup(session)}) own->add(std::move(copy));
    return not_taken;
}

std::shared_ptr<ResumableOfHost> Resumable::of(const std::string& host) {
    const std::scoped_lock lock{mutex_};
    if (const auto known = hosts_.find(host); known != hosts_.end()) return known->second;
    auto added = std::make_shared<ResumableOfHost>();
    if (hosts_.size() >= hosts_max) hosts_.erase(hosts_.begin());
    return hosts_.emplace(host, std::move(added)).first->second;
}

}  // namespace weir::tls
