#include "dav/properties/live_properties.h"

#include <time.h>

#include <algorithm>
#include <optional>

#include "dav/xml/escaped.h"
#include "http/answer/date.h"

namespace weir::dav {
namespace {

/// RFC 3339, as DAV:creationdate has it.
std::string creation_date(std::int64_t seconds) {
    const ::time_t time = seconds;
    tm parts{};
    std::array<char, 32> text{};
    if (::gmtime_r(&time, &parts) == nullptr) return {};
    return {text.data(), ::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string http_date(std::int64_t seconds) {
    std::array<char, http::date_size> text{};
    http::render_date(std::max<std::int64_t>(seconds, 0), text);
    return {text.data(), text.size()};
}

void append_scopes(std::string& out) {
    for (const char* const scope : {"exclusive", "shared"})
        out.append("<D:lockentry><D:lockscope><D:")
            .append(scope)
            .append("/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>");
}

/// The value as XML; null if the file has no such property.
std::optional<std::string> value_of(std::string_view local, const Described& of) {
    const bool is_folder = of.state.kind == site::FileKind::directory;
    std::string value;
    if (local == "resourcetype") return is_folder ? "<D:collection/>" : "";
    if (local == "creationdate") return creation_date(of.state.modified.seconds);
    if (local == "getlastmodified") return http_date(of.state.modified.seconds);
    if (local == "supportedlock") {
        append_scopes(value);
        return value;
    }
    if (local == "lockdiscovery") {
        append_active_locks(value, of.locks, of.root_of);
        return value;
    }
    if (is_folder) return std::nullopt;
    if (local == "getcontentlength") return std::to_string(of.state.size);
    append_escaped(value, local == "getetag" ? of.entity_tag() : of.content_type());
    return value.empty() ? std::nullopt : std::optional{std::move(value)};
}

}  // namespace

bool is_live(const Name& name) noexcept {
    return name.space == dav_space &&
           std::ranges::find(live_properties, name.local) != live_properties.end();
}

bool append_live(std::string& out, std::string_view local, const Described& of) {
    const auto value = value_of(local, of);
    if (!value) return false;
    out.append("<D:").append(local);
    if (value->empty())
        out += "/>";
    else
        out.append(">").append(*value).append("</D:").append(local).append(">");
    return true;
}

void append_active_locks(std::string& out, const std::vector<Lock>& locks,
                         const std::function<std::string(const Lock&)>& root_of) {
    for (const Lock& each : locks) {
        out += "<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope>";
        out += each.is_exclusive ? "<D:exclusive/>" : "<D:shared/>";
        out += "</D:lockscope><D:depth>";
        out += each.is_infinite ? "infinity" : "0";
        out.append("</D:depth>").append(each.owner).append("<D:timeout>Second-");
        out.append(std::to_string(each.time.count()));
        out += "</D:timeout><D:locktoken>";
        append_href(out, each.token);
        out += "</D:locktoken><D:lockroot>";
        append_href(out, root_of(each));
        out += "</D:lockroot></D:activelock>";
    }
}

}  // namespace weir::dav
