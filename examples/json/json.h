#pragma once

#include <weir/web.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// Each type that nlohmann/json reads and writes is JSON for weir::web. Another library has such
// lines, too: Json<Value> is the place.

namespace weir::web {

template <typename Value>
    requires requires(const nlohmann::json& json, const Value& value) {
        json.get<Value>();
        nlohmann::json(value);
    }
struct Json<Value> {
    static Value read(std::string_view text) { return nlohmann::json::parse(text).get<Value>(); }
    static std::string write(const Value& value) { return nlohmann::json(value).dump(); }
};

}  // namespace weir::web
