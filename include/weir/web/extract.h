#pragma once

#include <concepts>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/web/call.h"
#include "weir/web/form.h"
#include "weir/web/is_optional.h"
#include "weir/web/refusal.h"
#include "weir/web/response.h"

namespace weir::web {

// Typed parts of a request. A part that is missing or malformed is a Refusal with 400, whose
// sentence names it: "The query's page must be a whole number". A handler lets it through.

/// How a type is read from text. Specialize it for types of your own: `from()` returns nothing for a
/// text that is none, and `kind` completes "must be ...".
template <typename Value>
struct FromText {
    static std::optional<Value> from(std::string_view text) {
        return detail::value_from<Value>(text);
    }
    static constexpr std::string_view kind = std::same_as<Value, bool> ? "true or false"
                                             : std::unsigned_integral<Value>
                                                 ? "a whole number from 0 on"
                                             : std::integral<Value> ? "a whole number"
                                                                    : "a number";
};

/// How a type is read from JSON and written to it, by a library of your choice. Specialize it:
///
///     static Value read(std::string_view text);     // throws an exception derived from
///                                                   // std::exception, whose text the peer gets
///     static std::string write(const Value& value);
template <typename Value>
struct Json;

namespace detail {

/// Throws a Refusal: "The `part`'s `name` must be `kind`".
[[noreturn]] void refuse_part(std::string_view part, std::string_view name, std::string_view kind);
[[noreturn]] void refuse_missing(std::string_view part, std::string_view name);
[[noreturn]] void refuse_json(const std::exception& error);
/// Throws a Refusal with 415 unless the content is JSON.
void check_json(const Call& call);

/// An optional Value may be missing, and must not be malformed.
template <typename Value, typename Text>
Value part_as(const std::optional<Text>& text, std::string_view part, std::string_view name) {
    if constexpr (is_optional<Value>) {
        if (!text) return std::nullopt;
        return part_as<typename Value::value_type>(text, part, name);
    } else {
        if (!text) refuse_missing(part, name);
        auto value = FromText<Value>::from(*text);
        if (!value) refuse_part(part, name, FromText<Value>::kind);
        return std::move(*value);
    }
}

}  // namespace detail

/// The parameter `{name}` of the route's path. Throws std::invalid_argument as Call::parameter().
template <typename Value>
Value path_as(const Call& call, std::string_view name) {
    return detail::part_as<Value>(std::optional{call.parameter(name)}, "path", name);
}

/// The first field of the query with that name. A std::optional<...> may be missing.
template <typename Value>
Value query_as(const Call& call, std::string_view name) {
    return detail::part_as<Value>(call.query(name), "query", name);
}
/// The same; `otherwise` if it is missing.
template <typename Value>
Value query_as(const Call& call, std::string_view name, Value otherwise) {
    return query_as<std::optional<Value>>(call, name).value_or(std::move(otherwise));
}

/// The first field line of the request with that name. A std::optional<...> may be missing.
template <typename Value>
Value field_as(const Call& call, std::string_view name) {
    return detail::part_as<Value>(call.field(name), "request", name);
}

/// The first value of the form with that name. A std::optional<...> may be missing.
template <typename Value>
Value form_as(const Form& form, std::string_view name) {
    return detail::part_as<Value>(form.get(name), "form", name);
}

/// The content of a function's or callback's call, or `content` of a coroutine's:
/// `json_as<Note>(call, co_await call.body().all())`. A Refusal with 415 if the content type is not
/// JSON, and with 400 if Json<Value>::read() throws.
template <typename Value>
Value json_as(const Call& call, std::string_view content) {
    detail::check_json(call);
    try {
        return Json<Value>::read(content);
    } catch (const Refusal&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        detail::refuse_json(error);
    }
}
template <typename Value>
Value json_as(const Call& call) {
    return json_as<Value>(call, call.content());
}

/// application/json, by Json<Value>::write().
template <typename Value>
    requires requires(const Value& value) {
        { Json<Value>::write(value) } -> std::convertible_to<std::string>;
    }
Response json_from(const Value& value, Status status = Status::ok) {
    return json_text(Json<Value>::write(value), status);
}

/// Collects all that is wrong with a request, so that its sender hears of it at once:
///
///     Checks checks;
///     checks.check(!note.title.empty(), "title", "must not be empty");
///     checks.check(note.stars <= 5, "stars", "must be at most 5");
///     checks.done();
class Checks {
   public:
    /// Notes what is wrong unless `is_right`, and returns that. `message` completes the sentence
    /// that begins with `name`.
    bool check(bool is_right, std::string_view name, std::string_view message) {
        if (!is_right) violations_.push_back({std::string{name}, std::string{message}});
        return is_right;
    }
    /// Throws a Refusal with 422 if anything is wrong. Its text is "title must not be empty, and
    /// stars must be at most 5"; a problem has the list as "errors".
    void done() const;

   private:
    std::vector<Violation> violations_{};
};

}  // namespace weir::web
