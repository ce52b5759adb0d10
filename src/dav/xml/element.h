#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::dav {

inline constexpr std::string_view dav_space = "DAV:";

/// A name of XML with its namespace (RFC 4918 4.2).
struct Name {
    std::string space;  // empty: none
    std::string local;

    auto operator<=>(const Name&) const = default;
    bool is(std::string_view dav_local) const noexcept {
        return space == dav_space && local == dav_local;
    }
};

/// An element of a request, with all that it has inside.
struct Element {
    struct Attribute {
        Name name;
        std::string prefix;
        std::string value;
    };
    /// Text, or an element.
    struct Node {
        std::string text{};
        std::unique_ptr<Element> element{};  // null: text
    };

    Name name{};
    std::string prefix{};
    std::vector<Attribute> attributes{};
    std::vector<Node> nodes{};

    /// Null if there is none.
    const Element* child(std::string_view dav_local) const noexcept;
    std::vector<const Element*> children() const;
    /// The text of the element itself.
    std::string text() const;
    /// The value of xml:lang; empty if there is none.
    std::string_view language() const noexcept;
};

/// Renders the element so that it can stand in any document: it declares the namespaces that it
/// uses. `language`: xml:lang if it has none itself; may be empty.
std::string rendered(const Element& element, std::string_view language = {});

}  // namespace weir::dav
