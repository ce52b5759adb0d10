#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dav/xml/element.h"

namespace weir::dav {

// The XML of requests. All functions throw web::Refusal: 400 for XML that is malformed or too
// large, 422 for another document than the method takes.

/// The properties that a PROPFIND asks for (RFC 4918 14.20).
struct PropertiesAsked {
    enum class Kind : unsigned char { all, names, some };
    Kind kind = Kind::all;
    std::vector<Name> names{};  // for `some`; for `all` those of DAV:include
};
/// Without a document, all are asked for (RFC 4918 9.1).
PropertiesAsked read_propfind(std::string_view document);

/// One step of a PROPPATCH (RFC 4918 14.19).
struct PropertyStep {
    Name name;
    std::string xml{};  // the property with its value; empty: it is removed
};
std::vector<PropertyStep> read_proppatch(std::string_view document);

/// The wish of a LOCK (RFC 4918 14.11).
struct LockAsked {
    bool is_exclusive = true;
    std::string owner{};  // DAV:owner as XML; empty: none
};
/// Null without a document: a lock is refreshed (RFC 4918 9.10.2).
std::optional<LockAsked> read_lock(std::string_view document);

}  // namespace weir::dav
