// Accept and Accept-Encoding choose what RFC 9110 12.5 says, and lists fall into their members.
// Each line is a field line.

#include <vector>

#include "fuzz/field_input.h"
#include "fuzz/plain/accept.h"
#include "http/syntax/field_list.h"
#include "site/listing/listing.h"
#include "site/types/content_coding.h"

namespace weir::tests {
namespace {

/// RFC 9110 5.6.1 and 5.6.4, byte by byte.
std::vector<std::string> plain_elements(std::string_view list) {
    std::vector<std::string> elements(1);
    bool quoted = false;
    for (std::size_t at = 0; at < list.size(); ++at) {
        if (list[at] == ',' && !quoted) {
            elements.emplace_back();
            continue;
        }
        if (list[at] == '"') quoted = !quoted;
        elements.back() += list[at];
        if (quoted && list[at] == '\\' && at + 1 < list.size()) elements.back() += list[++at];
    }
    for (std::string& element : elements) element = std::string{trimmed(element)};
    return elements;
}

void check_list(std::string_view list) {
    std::vector<std::string> elements;
    http::for_each_element(list, [&](std::string_view one) { elements.emplace_back(one); });
    require(elements == plain_elements(list));
}

void check_coding(const FieldInput& input, const http::Request& request, unsigned choice) {
    std::vector<std::string> available;
    site::CodingSet set;
    for (const auto& names : http::content_codings) {
        if ((choice >> static_cast<unsigned>(names.coding) & 1u) == 0) continue;
        set.add(names.coding);
        available.emplace_back(names.token);
    }
    set.add(site::Coding::identity);
    available.emplace_back("identity");
    const auto chosen = site::choose_coding(request, set);
    require(!chosen || set.has(*chosen));

    const auto lines = plain::lines_of(input.fields, "Accept-Encoding");
    const auto wishes = plain::read_wishes(lines);
    if (!wishes) return;
    std::string token = chosen ? "identity" : "";
    for (const auto& names : http::content_codings)
        if (chosen == names.coding) token = names.token;
    require(token == (lines.empty() ? "identity" : plain::best_coding(*wishes, available)));
}

void check_type(const FieldInput& input, const http::Request& request) {
    const bool json = site::prefers_json(request);
    const auto wishes = plain::read_wishes(plain::lines_of(input.fields, "Accept"));
    if (!wishes) return;
    require(json == (plain::weight_of(*wishes, "application/json") >
                     plain::weight_of(*wishes, "text/html")));
}

}  // namespace

void fuzz(const FuzzInput& input) {
    check_list(input.text);
    const auto fields = FieldInput::from(input.text, {"Accept", "Accept-Encoding"});
    const auto request = fields.request();
    if (!request) return;
    check_coding(fields, request->get(), input.choice);
    check_type(fields, request->get());
}

}  // namespace weir::tests
