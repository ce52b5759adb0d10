#pragma once

#include <openssl/ssl.h>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "tls/openssl/handles.h"

namespace weir::tls {

using SessionHandle = std::unique_ptr<SSL_SESSION, Release<SSL_SESSION_free>>;

/// The sessions of other servers of one host, which the next connections resume without a
/// certificate and its check (RFC 8446 2.2). Thread-safe.
class ResumableOfHost {
   public:
    /// A server of TLS 1.3 usually sends two tickets, of which each is used once.
    static constexpr std::size_t sessions_max = 4;

    /// Begins `ssl` with a kept session, if there is one, and keeps those that its server gives.
    /// This object must outlive the SSL.
    void resume(SSL& ssl) noexcept;

    /// For SSL_CTX_sess_set_new_cb(3).
    static int keep(SSL* ssl, SSL_SESSION* session) noexcept;

   private:
    SessionHandle take() noexcept;
    void add(SessionHandle session) noexcept;

    std::mutex mutex_;
    std::array<SessionHandle, sessions_max> sessions_;  // the latest is the last before next_
    std::size_t next_ = 0;
};

/// The same for all hosts of a layer. Thread-safe.
class Resumable {
   public:
    static constexpr std::size_t hosts_max = 256;

    /// Throws std::bad_alloc.
    std::shared_ptr<ResumableOfHost> of(const std::string& host);

   private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<ResumableOfHost>> hosts_;
};

}  // namespace weir::tls
