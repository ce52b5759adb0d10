#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::acme {

using Json = nlohmann::json;

/// The object that a CA has sent. Nothing if the text is no JSON object.
inline std::optional<Json> parse_object(std::string_view text) {
    Json parsed = Json::parse(text, nullptr, false);
    if (!parsed.is_object()) return std::nullopt;
    return parsed;
}

/// A member that is a text; empty if there is none.
inline std::string text_in(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// A member that is a list; empty if there is none.
inline Json list_in(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_array() ? *found : Json::array();
}

/// A member that is an object; empty if there is none.
inline Json object_in(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_object() ? *found : Json::object();
}

/// As text. Bytes that are no UTF-8 are replaced.
inline std::string written(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weir::acme
