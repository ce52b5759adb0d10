#include "acme/folder/challenges.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "acme/json/problem.h"
#include "base/bytes/sha256.h"
#include "server/entrance/acme_challenge.h"
#include "tls/files/private_file.h"
#include "weir/tls/tls.h"

namespace weir::acme {
namespace {

constexpr std::string_view http_01 = "http-01";          // RFC 8555 8.3
constexpr std::string_view tls_alpn_01 = "tls-alpn-01";  // RFC 8737

const Json* find(const Json& offered, std::string_view kind) {
    for (const Json& challenge : offered)
        if (challenge.is_object() && text_in(challenge, "type") == kind) return &challenge;
    return nullptr;
}

}  // namespace

Presented::~Presented() {
    if (!file_.empty()) ::unlink(file_.c_str());
}

Presented Challenges::present(const Json& offered, const std::string& host,
                              const AccountKey& key) const {
    std::array kinds{http_01, tls_alpn_01};
    if (preferred_ == Kind::tls) std::ranges::reverse(kinds);
    for (const std::string_view kind : kinds) {
        const Json* const challenge = find(offered, kind);
        if (!challenge) continue;
        const std::string token = text_in(*challenge, "token");
        if (!server::is_challenge_token(token))
            throw Problem{"", "the CA has sent a token that is none"};
        const std::string authorization = token + '.' + key.thumbprint();  // RFC 8555 8.1
        const bool is_http = kind == http_01;
        const std::string file = folder_ + '/' + (is_http ? token : host + ".pem");
        const std::string answer =
            is_http ? authorization : or_throw(tls::make_challenge(host, sha256(authorization)));
        or_throw(tls::write_private(file, answer));
        return {text_in(*challenge, "url"), file};
    }
    throw Problem{"", "the CA offers neither http-01 nor tls-alpn-01"};
}

}  // namespace weir::acme
