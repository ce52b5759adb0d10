#include "dav/properties/dead_properties.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace weir::dav {
namespace {

// "1\n", and for each property the namespace, the name and the element as texts of known size:
// "4:DAV:\n".
constexpr std::string_view version = "1\n";

void append_text(std::string& out, std::string_view text) {
    out.append(std::to_string(text.size())).append(":").append(text).append("\n");
}

std::optional<std::string> take_text(std::string_view& bytes) {
    std::size_t size = 0;
    const auto [stopped, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), size);
    if (error != std::errc{}) return std::nullopt;
    bytes.remove_prefix(static_cast<std::size_t>(stopped - bytes.data()));
    if (!bytes.starts_with(':') || size > bytes.size() || bytes.size() - size < 2)
        return std::nullopt;
    std::string text{bytes.substr(1, size)};
    bytes.remove_prefix(size + 1);
    if (!bytes.starts_with('\n')) return std::nullopt;
    bytes.remove_prefix(1);
    return text;
}

}  // namespace

DeadProperties DeadProperties::from(std::string_view bytes) {
    DeadProperties made;
    if (!bytes.starts_with(version)) return made;
    bytes.remove_prefix(version.size());
    while (!bytes.empty()) {
        auto space = take_text(bytes);
        auto local = space ? take_text(bytes) : std::nullopt;
        auto xml = local ? take_text(bytes) : std::nullopt;
        if (!xml || made.all_.size() == properties_max) return {};
        made.all_.push_back({.name = {.space = std::move(*space), .local = std::move(*local)},
                             .xml = std::move(*xml)});
    }
    return made;
}

std::string DeadProperties::serialized() const {
    std::string bytes{version};
    for (const Property& each : all_) {
        append_text(bytes, each.name.space);
        append_text(bytes, each.name.local);
        append_text(bytes, each.xml);
    }
    return bytes;
}

void DeadProperties::set(const Name& name, std::string xml) {
    const auto found = std::ranges::find(all_, name, &Property::name);
    if (found != all_.end())
        found->xml = std::move(xml);
    else
        all_.push_back({.name = name, .xml = std::move(xml)});
}

void DeadProperties::remove(const Name& name) {
    std::erase_if(all_, [&](const Property& each) { return each.name == name; });
}

const DeadProperties::Property* DeadProperties::find(const Name& name) const noexcept {
    const auto found = std::ranges::find(all_, name, &Property::name);
    return found == all_.end() ? nullptr : &*found;
}

bool DeadProperties::fit() const {
    const bool all_fit = std::ranges::all_of(
        all_, [](const Property& each) { return each.xml.size() <= property_bytes_max; });
    return all_fit && all_.size() <= properties_max && serialized().size() <= bytes_max;
}

}  // namespace weir::dav
