#pragma once

#include <string>
#include <utility>
#include <vector>

#include "acme/json/json.h"
#include "acme/keys/account_key.h"

namespace weir::acme {

/// The answer to a challenge, in a file for the server. It goes with this object.
class Presented {
   public:
    Presented(std::string url, std::string file) : url_{std::move(url)}, file_{std::move(file)} {}
    ~Presented();
    Presented(Presented&& other) noexcept
        : url_{std::move(other.url_)}, file_{std::exchange(other.file_, {})} {}
    Presented& operator=(Presented&&) = delete;

    /// Of the challenge.
    const std::string& url() const noexcept { return url_; }

   private:
    std::string url_;
    std::string file_;  // empty: moved from
};

/// The ways in which this machine proves that a host leads to it (RFC 8555 8).
class Challenges {
   public:
    enum class Kind : std::uint8_t { http, tls };

    /// `folder` is the one that the server reads, see answering.h. It must exist.
    explicit Challenges(std::string folder) : folder_{std::move(folder)} {}

    /// The next challenge is of this kind, if the CA offers it.
    void prefer(Kind kind) noexcept { preferred_ = kind; }
    /// Puts the answer to one of the challenges of an authorization into the folder. Throws
    /// Problem.
    Presented present(const Json& offered, const std::string& host, const AccountKey& key) const;

   private:
    std::string folder_;
    Kind preferred_ = Kind::http;
};

}  // namespace weir::acme
