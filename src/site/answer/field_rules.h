#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/http/response.h"
#include "weir/site/site.h"

namespace weir::site {

/// Whether an answer delivers what was asked for (200, 206, 304), or is an error, a redirect or the
/// like.
enum class AnswerKind : std::uint8_t { delivery, other };

/// Fields by name, each name once; a later value replaces an earlier one.
class FieldSet {
   public:
    /// The fields of rendered lines, such as Response::own_fields().
    static FieldSet from(std::string_view lines);

    /// An empty value takes the field away.
    void set(std::string_view name, std::string_view value);
    /// Adds members to a field whose value is a list (RFC 9110 5.6.1), each once.
    void add_members(std::string_view name, std::string_view members);
    /// Takes a field out; its line ("Name: value\r\n"), or nothing.
    std::string take_line(std::string_view name);
    /// The lines of what is left.
    std::string lines() const;
    template <typename Visit>
    void for_each(Visit visit) const {
        for (const auto& [name, value] : fields_) visit(name, value);
    }
    /// The value, or nothing.
    std::string_view value(std::string_view name) const noexcept;

   private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

/// The rules of Options::fields.
class FieldRules {
   public:
    /// Refuses names and values that can't be sent, and fields that belong to the server's own
    /// doing.
    static std::expected<FieldRules, std::string> from(std::vector<FieldRule> rules);

    bool is_empty() const noexcept { return rules_.empty(); }

    /// `path` of the file, "/" first; `media_type` without parameters, empty without content.
    void apply(std::string_view path, std::string_view media_type, FieldSet& fields,
               AnswerKind kind = AnswerKind::delivery) const;

    /// An answer that delivers no file (an error, a redirect, a listing), with the fields of the
    /// rules added. `path` is what was asked for.
    http::Response completed(http::Response response, std::string_view path) const;

   private:
    std::vector<FieldRule> rules_;
};

}  // namespace weir::site
