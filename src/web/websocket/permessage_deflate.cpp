#include "web/websocket/permessage_deflate.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/trimmed.h"
#include "http/syntax/field_list.h"

namespace weir::web::ws {
namespace {

/// Takes the text up to the next semicolon off.
std::string_view take_part(std::string_view& text) {
    const std::size_t size = std::min(text.find(';'), text.size());
    const std::string_view part = trimmed(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
    return part;
}

/// 8 to 15, without a leading zero (RFC 7692 7.1.2.1), as a token or in quotes. 0: another value.
std::uint8_t window_bits_from(std::string_view value) {
    if (value.size() > 2 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
    for (std::uint8_t bits = 8; bits <= window_bits_max; ++bits)
        if (value == std::to_string(bits)) return bits;
    return 0;
}

/// An offer of permessage-deflate (RFC 7692 7.1).
class Offer {
   public:
    /// False for a parameter that is unknown, malformed, or there twice.
    bool take(std::string_view parameter) {
        const std::size_t equals = parameter.find('=');
        const std::string_view name = trimmed(parameter.substr(0, equals));
        std::optional<std::string_view> value;
        if (equals != parameter.npos) value = trimmed(parameter.substr(equals + 1));
        if (name == "server_no_context_takeover") return !value && is_first(server_context_);
        if (name == "client_no_context_takeover") return !value && is_first(client_context_);
        if (name == "client_max_window_bits")
            return is_first(client_window_) && (!value || window_bits_from(*value) != 0);
        if (name != "server_max_window_bits" || !is_first(server_window_)) return false;
        window_bits_ = window_bits_from(value.value_or(""));
        return window_bits_ != 0;
    }

    DeflateTerms terms() const {
        DeflateTerms terms{
            .window_bits = window_bits_,
            .field = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"};
        if (server_window_)
            terms.field += "; server_max_window_bits=" + std::to_string(window_bits_);
        return terms;
    }

   private:
    static bool is_first(bool& seen) noexcept { return !std::exchange(seen, true); }

    bool server_context_ = false;
    bool client_context_ = false;
    bool server_window_ = false;
    bool client_window_ = false;
    std::uint8_t window_bits_ = window_bits_max;
};

DeflateTerms terms_of(std::string_view extension) {
    if (take_part(extension) != "permessage-deflate") return {};
    Offer offer;
    while (!extension.empty())
        if (!offer.take(take_part(extension))) return {};
    return offer.terms();
}

}  // namespace

DeflateTerms deflate_terms(const http::Request& request) {
    DeflateTerms terms;
    for (const http::FieldLine& line : request.fields()) {
        if (!http::equals_ignoring_case(request.name_of(line), "Sec-WebSocket-Extensions"))
            continue;
        http::for_each_member(request.value_of(line), [&](std::string_view extension) {
            if (!terms.is_agreed()) terms = terms_of(extension);
        });
    }
    return terms;
}

}  // namespace weir::web::ws
