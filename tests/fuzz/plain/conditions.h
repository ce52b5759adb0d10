#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::tests::plain {

/// The field lines of a request, in order. Names are compared as they are written here.
using Fields = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> lines_of(const Fields& fields, std::string_view name);

/// What is there.
struct Known {
    std::string entity_tag;                     // with its quotes; a weak one with W/
    std::optional<std::int64_t> last_modified;  // Unix seconds
};

/// Entity tags in a line of If-Match or If-None-Match. Nothing if the line is not of that form.
std::optional<std::vector<std::string>> read_entity_tags(std::string_view line);

enum class Met : std::uint8_t { proceed, not_modified, precondition_failed };

/// RFC 9110 13.2.2, steps 1 to 4. Nothing if a field is malformed: the RFC says nothing then.
std::optional<Met> evaluate(const Fields& fields, const Known& known, std::int64_t now);

/// Step 5: the Range field applies. Nothing as above.
std::optional<bool> range_applies(const Fields& fields, const Known& known, std::int64_t now);

}  // namespace weir::tests::plain
