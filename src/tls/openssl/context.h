#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "tls/openssl/handles.h"
#include "tls/session.h"

namespace weir::tls {

/// A certificate with the chain that leads to a root, and its key: files in PEM.
struct CertificateFiles {
    std::string chain;
    std::string key;
};

/// What all sessions of a server share: versions, ciphers, certificates. It does not change; a
/// reload makes another one.
class Context {
   public:
    struct Settings {
        /// The first is for clients that name no host, or an unknown one.
        std::vector<CertificateFiles> certificates;
        /// In the order of preference (RFC 7301): "h2", "http/1.1".
        std::vector<std::string> protocols{"http/1.1"};
    };

    /// Or a sentence that says which file is wrong, and why.
    static std::expected<Context, std::string> make(const Settings& settings);

    /// Throws std::bad_alloc.
    std::unique_ptr<Session> session() const;

   private:
    struct Parts;
    struct Free {
        void operator()(Parts* parts) const noexcept;
    };
    explicit Context(std::unique_ptr<Parts, Free> parts) noexcept;

    std::unique_ptr<Parts, Free> parts_;
};

}  // namespace weir::tls
