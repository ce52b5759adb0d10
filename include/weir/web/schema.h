#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/web/is_optional.h"

namespace weir::web {

/// The JSON Schema (draft 2020-12) of a type, as JSON: for OpenApi. Numbers, bool, texts, vectors
/// and optional values have theirs. A type of your own gets one by a specialization:
///
///     template <>
///     struct weir::web::Schema<Note> {
///         static std::string json() {
///             return ObjectSchema{}.has<int>("id").has<std::optional<std::string>>("text").json();
///         }
///     };
template <typename Value>
struct Schema;

template <>
struct Schema<bool> {
    static std::string json() { return R"({"type": "boolean"})"; }
};
template <std::integral Number>
struct Schema<Number> {
    static std::string json() { return R"({"type": "integer"})"; }
};
template <std::floating_point Number>
struct Schema<Number> {
    static std::string json() { return R"({"type": "number"})"; }
};
template <std::convertible_to<std::string_view> Text>
struct Schema<Text> {
    static std::string json() { return R"({"type": "string"})"; }
};
template <typename Item>
struct Schema<std::vector<Item>> {
    static std::string json() {
        return R"({"type": "array", "items": )" + Schema<Item>::json() + "}";
    }
};
template <typename Value>
struct Schema<std::optional<Value>> {
    static std::string json() { return Schema<Value>::json(); }
};

/// The schema of an object, member by member.
class ObjectSchema {
   public:
    /// A member of that type. It is required, unless the type is a std::optional.
    template <typename Value>
    ObjectSchema& has(std::string_view name) {
        return add(name, Schema<Value>::json(), !detail::is_optional<Value>);
    }
    std::string json() const;

   private:
    ObjectSchema& add(std::string_view name, std::string_view schema, bool is_required);

    std::string properties_{};
    std::string required_{};
};

}  // namespace weir::web
