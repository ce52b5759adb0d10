#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/web/call.h"
#include "weir/web/refusal.h"
#include "weir/web/task.h"

namespace weir::web {

/// Names and values of a form, decoded, in their order: from a query or from content of the type
/// application/x-www-form-urlencoded. Owns its texts.
class Form {
   public:
    /// Reads encoded text, as Call::content() or Request::query(). Throws Refusal with 413 if there
    /// are more than `fields_max` fields.
    static Form from(std::string_view encoded, std::size_t fields_max = 1000);
    /// Reads the content of a function's or callback's call. Throws Refusal with 415 if it has
    /// another type, and std::logic_error if the content is not there yet: a coroutine takes read().
    static Form of(const Call& call);
    /// `co_await Form::read(call)`: the same for coroutines. It reads the content first.
    static Task<Form> read(Call& call);

    /// The first value with that name.
    std::optional<std::string_view> get(std::string_view name) const& noexcept;
    /// The same of a temporary form, whose texts end with it.
    std::optional<std::string> get(std::string_view name) &&;
    /// The value as a number, bool or string; see Call::parameter().
    template <typename Value>
    std::optional<Value> get(std::string_view name) const {
        const auto text = get(name);
        return text ? detail::value_from<Value>(*text) : std::nullopt;
    }
    const std::vector<std::pair<std::string, std::string>>& fields() const& noexcept {
        return fields_;
    }
    /// A loop over the fields of a temporary form would use them after their end: give it a name.
    void fields() && = delete;

   private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace weir::web
