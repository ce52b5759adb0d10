#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dav/locks/rights.h"
#include "dav/request/fields.h"
#include "dav/request/if_field.h"
#include "dav/tree/desk.h"
#include "upload/conditions.h"
#include "weir/http/request.h"

namespace weir::dav {

/// A request, copied for another thread.
struct Asked {
    std::string path;          // relative to the root, without a slash at its end
    std::string prefix;        // before it in the path that the client asked for, not decoded
    std::string asked_prefix;  // the same, decoded
    std::string authority;
    bool ends_with_slash = false;
    std::optional<IfField> condition{};  // the field If
    upload::Conditions conditions{};     // of RFC 9110
    Rights::Holder holder{};
    std::optional<Depth> depth{};
    bool overwrites = true;
    std::string destination{};  // as it came
    std::string timeout{};
    std::string lock_token{};
    std::string body{};
    std::optional<std::uint64_t> size{};  // of the content, if it is known

    /// Throws web::Refusal for fields that are malformed, and for a path that is no name of the
    /// site. `has_users`: names of users have been checked.
    static Asked from(const http::Request& request, bool has_users);

    /// The reference of a path (RFC 4918 8.3), absolute and with a slash behind a folder.
    std::string href(std::string_view of, bool is_folder) const;
    /// The reference of the root of a lock.
    std::function<std::string(const Lock&)> roots() const {
        return [this](const Lock& lock) { return href(lock.path, lock.is_folder); };
    }
    /// The path that a reference means, without a slash at its end.
    std::expected<std::string, ReferenceFault> path_of(std::string_view reference) const;

    /// The paths that rules of other handlers keep back from a client that may have `folder`; null
    /// if there are none.
    std::function<bool(const std::string&)> kept_back(const Desk& desk, std::string folder) const;
};

}  // namespace weir::dav
