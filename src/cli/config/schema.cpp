#include "cli/config/schema.h"

#include <string_view>
#include <vector>

#include "cli/config/document.h"
#include "cli/config/printed.h"
#include "cli/config/shape.h"
#include "cli/option/near_miss.h"

namespace weir::cli::config {
namespace {

constexpr std::string_view begin = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "weir.toml",
  "description": "The configuration of weir serve --config. The keys are the names of its options.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
)";

constexpr std::string_view site_begin = R"(    "site": {
      "description": "Several sites, one for each host.",
      "type": "array",
      "maxItems": )";

constexpr std::string_view site_items = R"(,
      "items": {
        "type": "object",
        "additionalProperties": false,
        "properties": {
          "host": {
            "description": "The hosts of the site, without a port: example.org, *.example.org",
            "anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}]
          },
          "default": {
            "description": "The site is for all hosts that no other site names, too.",
            "type": "boolean"
          },
)";

constexpr std::string_view end = R"(        }
      }
    }
  }
}
)";

std::string one_of(const std::vector<std::string>& schemas) {
    if (schemas.size() == 1) return schemas.front();
    return "\"anyOf\": [{" + enumerated(schemas, "}, {", "}, {") + "}]";
}

/// The members of the schema of one value.
std::string value_schema(const Shape& shape) {
    std::vector<std::string> schemas;
    if (shape.flag) schemas.emplace_back(R"("type": "boolean")");
    if (shape.number) schemas.emplace_back(R"("type": "integer", "minimum": 0)");
    if (!shape.words.empty()) {
        std::string words;
        for (const std::string& word : shape.words)
            words += (words.empty() ? "" : ", ") + in_quotes(word);
        schemas.push_back("\"enum\": [" + words + ']');
    } else if (shape.text) {
        schemas.emplace_back(R"("type": "string", "minLength": 1)");
    }
    return one_of(schemas);
}

std::string option_schema(const Option& option) {
    std::string one = value_schema(shape_of(option));
    if (!option.repeats) return one;
    return "\"anyOf\": [{" + one + R"(}, {"type": "array", "items": {)" + one + "}}]";
}

void append_property(std::string& out, const Option& option, std::string_view indent) {
    out.append(indent).append(in_quotes(option.long_name)) += ": {\n";
    out.append(indent).append("  \"description\": ").append(in_quotes(option.help)) += ",\n";
    const auto stated = stated_default(option);
    if (!stated.empty())
        out.append(indent).append("  \"default\": ").append(as_toml(option, stated)) += ",\n";
    out.append(indent).append("  ").append(option_schema(option)) += '\n';
    out.append(indent) += '}';
}

}  // namespace

std::string schema(std::span<const Option> options) {
    std::string out{begin};
    for (const Option& option : options) {
        if (!option.in_file) continue;
        append_property(out, option, "    ");
        out += ",\n";
    }
    out.append(site_begin).append(std::to_string(sites_max)).append(site_items);
    bool is_first = true;
    for (const Option& option : options) {
        if (!option.per_site) continue;
        if (!is_first) out += ",\n";
        is_first = false;
        append_property(out, option, "          ");
    }
    return (out += '\n').append(end);
}

}  // namespace weir::cli::config
