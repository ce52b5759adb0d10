#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::dav {

/// The field If (RFC 4918 10.4).
class IfField {
   public:
    struct Condition {
        bool is_negated = false;
        bool is_tag = false;  // of an entity; otherwise the token of a state
        std::string text{};   // an entity tag with its quotes, or a URI
    };
    struct List {
        std::string resource{};  // a URI reference; empty: that of the request
        std::vector<Condition> conditions{};
    };

    /// Null if the text is malformed or has more than conditions_max conditions.
    static std::optional<IfField> parse(std::string_view text);
    static constexpr std::size_t conditions_max = 100;

    /// True if one list holds. `holds` says whether a condition, without its Not, is met.
    using Holds = std::function<bool(const std::string& resource, const Condition& condition)>;
    bool hold(const Holds& holds) const;

    /// The tokens that the field submits (RFC 4918 10.4.1).
    std::vector<std::string> tokens() const;
    const std::vector<List>& lists() const noexcept { return lists_; }

   private:
    std::vector<List> lists_;
};

}  // namespace weir::dav
