#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "acme/json/json.h"
#include "tls/openssl/handles.h"
#include "weir/web/call.h"
#include "weir/web/router.h"

namespace weir::acme {

/// A CA that speaks ACME (RFC 8555) at http://ca/directory, without sockets. It checks signatures and
/// nonces, and takes a file in the folder of challenges for the answer of the host.
class FakeCa {
   public:
    explicit FakeCa(std::string challenges);

    web::Router router{};

    // What it is to do:
    unsigned rejects_nonces = 0;
    unsigned is_under_way = 0;  // the readings of an order or an authorization before its decision
    std::vector<std::string> offers{"http-01", "tls-alpn-01"};
    bool wants_external = false;
    std::string external_key{};  // the bytes
    bool knows_renewal = true;
    Json renewal{};                     // the renewal information
    std::string refuses_account{};      // the kind of the problem for a new account
    std::optional<Json> refuses{};      // the problem for each new order
    std::string refuses_replacing{};    // the kind of the problem for an order that replaces
    std::optional<Json> disbelieves{};  // the error of each challenge
    std::string token{"a_token-1"};
    std::string scheme{"http"};
    std::string gives{};      // in place of the certificate
    std::string certifies{};  // in place of the host
    int days = 90;
    std::string retry_after{};

    // What it has seen:
    std::vector<std::string> requests{};    // "newOrder", "finalize"
    std::vector<std::string> proved{};      // the kinds of challenges
    std::vector<std::string> complaints{};  // about requests
    Json account{};                         // the last newAccount
    Json order{};                           // the last newOrder
    std::size_t accounts() const noexcept { return keys_.size(); }
    void forget_accounts() { keys_.clear(); }

   private:
    struct Signed {
        Json header;
        Json payload;
        Json jwk;
        std::string account;
    };
    void add_routes();
    template <typename Answer>
    void post(const std::string& path, const std::string& name, Answer answer);
    Signed checked(const web::Call& call);
    void check_external(const Json& binding, const Json& jwk) const;
    web::Response with_nonce(web::Response response);
    web::Response json(const Json& object, web::Status status = web::Status::ok);
    web::Response problem(const std::string& kind, const std::string& detail,
                          web::Status status = web::Status::bad_request);
    web::Response enter(const Signed& request);
    web::Response begin(const Signed& request);
    web::Response prove(const Signed& request, const std::string& kind);
    Json authorization() const;
    std::string status_of(const std::string& decided);
    std::string url(const std::string& path) const { return scheme + "://ca" + path; }
    std::string certificate(const std::string& request) const;

    const std::string challenges_;
    tls::KeyHandle key_;
    std::map<std::string, Json> keys_{};  // by the thumbprint
    std::set<std::string> nonces_{};
    unsigned count_ = 0;
    unsigned readings_ = 0;
    std::string proof_{"pending"};  // the status of the authorization
    std::string state_{"pending"};  // of the order
    std::string chain_{};
};

}  // namespace weir::acme
