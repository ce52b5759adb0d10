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

/// Whether an answer delivers what the client asked for (200, 206, 304), or is another one, for
/// example an error or a redirect.
enum class AnswerKind : std::uint8_t { delivery, other };

/// Fields by name. A later value replaces an earlier one, but is added where the value is a list to
/// which the site and its rules each contribute: Vary, Access-Control-Expose-Headers and Link.
class FieldSet {
   public:
    /// Parses rendered lines, for example Response::own_fields().
    static FieldSet from(std::string_view lines);

    /// An empty value removes the field.
    void set(std::string_view name, std::string_view value);
    /// Adds a value to a list, or replaces the value of any other field. An empty value removes it.
    void put(std::string_view name, std::string_view value);
    /// Removes a field and returns its line ("Name: value\r\n"), or an empty string.
    std::string take_line(std::string_view name);
    /// Renders the fields that are left.
    std::string lines() const;
    template <typename Visit>
    void for_each(Visit visit) const {
        for (const auto& [name, value] : fields_) visit(name, value);
    }
    /// Returns the value; empty if there is no such field.
    std::string_view value(std::string_view name) const noexcept;

   private:
    void add_members(std::string_view name, std::string_view members);
    void add_line(std::string_view name, std::string_view value);

    std::vector<std::pair<std::string, std::string>> fields_;
};

/// Does the same as FieldSet::put() to the fields of a response.
void put(http::Response& response, std::string_view name, std::string_view value);

/// The rules of Options::fields.
class FieldRules {
   public:
    /// Refuses names and values that cannot be sent, and fields that only the server may set.
    static std::expected<FieldRules, std::string> from(std::vector<FieldRule> rules);

    bool is_empty() const noexcept { return rules_.empty(); }

    /// `path` is that of the file and starts with "/". `media_type` has no parameters; it is empty
    /// if there is no content.
    void apply(std::string_view path, std::string_view media_type, FieldSet& fields,
               AnswerKind kind = AnswerKind::delivery) const;

    /// Adds the fields of the rules to an answer that delivers no file (an error, a redirect, a
    /// listing). `path` is that of the request.
    http::Response completed(http::Response response, std::string_view path) const;

    /// Adds them to a response that is not the site's. It keeps its other fields, and those that
    /// describe its content.
    void add_to(http::Response& response, std::string_view path) const;

   private:
    template <typename Visit>
    void for_each(std::string_view path, std::string_view media_type, AnswerKind kind,
                  Visit visit) const;

    std::vector<FieldRule> rules_;
};

}  // namespace weir::site
