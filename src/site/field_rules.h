#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/site/site.h"

namespace weir::site {

/// Fields by name, each name once; a later value replaces an earlier one.
class FieldSet {
   public:
    /// An empty value takes the field away.
    void set(std::string_view name, std::string_view value);
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

    /// `path` of the file, "/" first; `media_type` without parameters.
    void apply(std::string_view path, std::string_view media_type, FieldSet& fields) const;

   private:
    std::vector<FieldRule> rules_;
};

}  // namespace weir::site
