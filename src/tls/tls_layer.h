#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "http/layer.h"
#include "tls/connection/tls_connection.h"
#include "tls/files/file_watch.h"
#include "tls/openssl/context.h"
#include "weir/tls/tls.h"

namespace weir::tls {

/// Puts TLS around the connections of a server, with OpenSSL.
class TlsLayer final : public http::Layer {
   public:
    static std::expected<std::shared_ptr<http::Layer>, std::string> open(Settings settings);
    /// The layer has no certificate before open() has read the files.
    explicit TlsLayer(Settings settings);

    void begin(http::Protocols protocols) override;
    std::unique_ptr<http::Connection> connect(http::Workspace& workspace, http::Origin& origin,
                                              Now now) override;
    int renewal_fd() const noexcept override { return watch_.fd(); }
    void request_renewal() noexcept override { watch_.request(); }
    Renewal renew() override;

   private:
    /// Reads the files. If it returns an error, a sentence, the earlier certificates stay.
    std::optional<std::string> read();
    Renewal read_again();
    Renewal take_concern();
    void look(std::int64_t now);
    void plan(std::int64_t now) noexcept;

    const std::shared_ptr<Context::Common> common_;  // made of the settings
    const Settings settings_;
    std::atomic<std::shared_ptr<const Context>> context_;
    TlsFactories factories_;
    FileWatch watch_;
    std::int64_t told_at_ = 0;          // the last check of the certificates, in Unix seconds
    std::int64_t planned_ = 0;          // the next check, in Unix seconds
    std::deque<std::string> concerns_;  // the next warnings for the operator
};

}  // namespace weir::tls
