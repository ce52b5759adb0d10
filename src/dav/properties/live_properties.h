#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dav/locks/lock.h"
#include "dav/xml/element.h"
#include "site/root/file_state.h"

namespace weir::dav {

/// A file or folder, as far as its live properties need it (RFC 4918 15).
struct Described {
    site::FileState state{};
    std::function<std::string()> content_type{};        // empty text: unknown
    std::function<std::string()> entity_tag{};          // empty text: none
    std::vector<Lock> locks{};                          // that cover it
    std::function<std::string(const Lock&)> root_of{};  // the reference of a lock's root
};

/// The names of all live properties in the namespace DAV:.
inline constexpr std::array<std::string_view, 8> live_properties = {
    "creationdate",    "getcontentlength", "getcontenttype", "getetag",
    "getlastmodified", "lockdiscovery",    "resourcetype",   "supportedlock"};

/// True for a property that only the server sets. displayname and getcontentlanguage are left to
/// clients.
bool is_live(const Name& name) noexcept;

/// Appends the property, as an element with the prefix D. False if the file has none.
bool append_live(std::string& out, std::string_view local, const Described& of);

/// Appends the DAV:activelock of each (RFC 4918 14.1).
void append_active_locks(std::string& out, const std::vector<Lock>& locks,
                         const std::function<std::string(const Lock&)>& root_of);

}  // namespace weir::dav
