#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "acme/json/json.h"
#include "acme/json/problem.h"
#include "acme/keys/account_key.h"
#include "acme/settings/settings.h"
#include "weir/client/client.h"

namespace weir::acme {

/// A response of a CA.
struct Reply {
    std::string location;  // the URL of the object that was made
    std::string content;
    Json object;  // the content, or an empty object if it is none
    std::optional<std::chrono::seconds> retry_after;
};

/// A conversation with a CA by ACME (RFC 8555 6). Its coroutines throw Problem and web::ClientError.
class Ca {
   public:
    /// `directory`: the URL of the CA. `client` and `key` must outlive this object.
    Ca(web::Client& client, const AccountKey& key, std::string directory)
        : client_{client}, key_{key}, directory_url_{std::move(directory)} {}

    /// Reads the directory: to call first.
    web::Task<void> open();
    /// Finds the account of the key, or makes it. The CA's terms of service are agreed to.
    web::Task<void> enter(Applicant applicant);

    /// The URL for an operation, as "newOrder"; empty if the CA does not have it.
    std::string url_for(const char* operation) const;
    const AccountKey& key() const noexcept { return key_; }

    web::Task<Reply> post(std::string url, std::string payload, About about = About::request);
    /// POST-as-GET (RFC 8555 6.3).
    web::Task<Reply> read(std::string url) { return post(std::move(url), {}); }
    /// Without a signature.
    web::Task<Reply> get(std::string url);

   private:
    web::Task<Reply> send(web::ClientRequest request, About about = About::request);
    web::Task<std::string> nonce();
    std::string signed_request(const std::string& url, const std::string& nonce,
                               std::string_view payload) const;
    void check(std::string_view url) const;

    web::Client& client_;
    const AccountKey& key_;
    const std::string directory_url_;
    Json directory_{};
    std::string account_{};  // its URL; empty before enter()
    std::string nonce_{};    // of the last response
};

}  // namespace weir::acme
