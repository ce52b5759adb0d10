#include "fuzz/plain/cors.h"

#include <algorithm>
#include <regex>

#include "base/trimmed.h"
#include "fuzz/plain/path.h"

namespace weir::tests::plain {
namespace {

const std::regex token{"[-!#$%&'*+.^_`|~0-9A-Za-z]+"};

void add_vary(Expected& expected) {
    const auto vary = std::ranges::find(expected.fields, "Vary", &Fields::value_type::first);
    if (vary == expected.fields.end())
        expected.fields.emplace_back("Vary", "Origin");
    else
        vary->second += ", Origin";
    expected.absent.erase("Vary");
}

/// The fields that a page asks to send, as far as they have names.
void add_allowed_names(Expected& expected, const std::vector<std::string>& lines) {
    if (lines.size() > 1 || (lines.size() == 1 && lines[0].contains('"'))) return;
    std::string names;
    for (const std::string& piece : split(lines.empty() ? "" : lines[0], ',')) {
        const std::string name{trimmed(piece)};
        if (std::regex_match(name, token)) names += (names.empty() ? "" : ", ") + name;
    }
    if (names.empty())
        expected.absent.insert("Access-Control-Allow-Headers");
    else
        expected.fields.emplace_back("Access-Control-Allow-Headers", names);
}

}  // namespace

void add_cors(Expected& expected, const Request& request, bool allowed) {
    const auto origins = lines_of(request.fields, "Origin");
    const bool named = origins.size() == 1 && origins[0] == cors_origin;
    if (origins.size() <= 1 && !(allowed && named))
        expected.absent.insert("Access-Control-Allow-Origin");
    if (!allowed) return;
    add_vary(expected);
    if (named) expected.fields.emplace_back("Access-Control-Allow-Origin", cors_origin);
    const bool is_preflight = request.method == "OPTIONS" && !origins.empty() &&
                              !lines_of(request.fields, "Access-Control-Request-Method").empty();
    if (!is_preflight || origins.size() > 1) return;
    if (!named) {
        expected.absent.insert("Access-Control-Allow-Methods");
        return;
    }
    expected.fields.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
    add_allowed_names(expected, lines_of(request.fields, "Access-Control-Request-Headers"));
}

}  // namespace weir::tests::plain
