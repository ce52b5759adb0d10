#include "acme/keys/jws.h"

#include <utility>

#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"

namespace weir::acme {
namespace {

/// RFC 7515 5.1.
template <typename Sign>
Json flattened(const Json& header, std::string_view payload, Sign sign) {
    const std::string protected_part = base64url_encoded(written(header));
    const std::string payload_part = base64url_encoded(payload);
    const std::string signature = sign(protected_part + '.' + payload_part);
    return {{"protected", protected_part},
            {"payload", payload_part},
            {"signature", base64url_encoded(signature)}};
}

}  // namespace

std::string signed_by(const AccountKey& key, Json header, std::string_view payload) {
    header["alg"] = "ES256";
    return written(
        flattened(header, payload, [&](const std::string& input) { return key.sign(input); }));
}

Json binding_of(const ExternalAccount& account, const AccountKey& key, const std::string& url) {
    const Json header{{"alg", "HS256"}, {"kid", account.id}, {"url", url}};
    return flattened(header, written(key.jwk()), [&](const std::string& input) {
        return text_of(hmac_sha256(account.key, input));
    });
}

}  // namespace weir::acme
