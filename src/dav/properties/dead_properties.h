#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dav/xml/element.h"

namespace weir::dav {

/// The properties of a file that clients have set (RFC 4918 4): weir keeps them and does not
/// understand them.
class DeadProperties {
   public:
    static constexpr std::size_t properties_max = 100;
    /// Of one property, and of all of a file.
    static constexpr std::size_t property_bytes_max = 4 * 1024;
    static constexpr std::size_t bytes_max = 16 * 1024;

    struct Property {
        Name name;
        std::string xml;  // with its value
    };

    /// From the bytes of serialized(); none if the bytes are others.
    static DeadProperties from(std::string_view bytes);
    std::string serialized() const;

    void set(const Name& name, std::string xml);
    void remove(const Name& name);
    /// Null if there is none.
    const Property* find(const Name& name) const noexcept;
    const std::vector<Property>& all() const noexcept { return all_; }
    /// False past one of the limits.
    bool fit() const;

   private:
    std::vector<Property> all_;
};

}  // namespace weir::dav
