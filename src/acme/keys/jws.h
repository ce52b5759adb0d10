#pragma once

#include <string>
#include <string_view>

#include "acme/json/json.h"
#include "acme/keys/account_key.h"
#include "acme/settings/settings.h"

namespace weir::acme {

/// The flattened JSON serialization of a JWS (RFC 7515 7.2.2) that the account's key signs (ES256).
/// `header` has the members of RFC 8555 6.2 but `alg`.
std::string signed_by(const AccountKey& key, Json header, std::string_view payload);

/// The member `externalAccountBinding`: the account's key, signed by the key of the external
/// account (HS256).
Json binding_of(const ExternalAccount& account, const AccountKey& key, const std::string& url);

}  // namespace weir::acme
