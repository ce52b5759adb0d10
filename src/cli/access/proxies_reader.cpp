#include "cli/access/proxies_reader.h"

#include "access/request/network.h"

namespace weir::cli {
namespace {

Parsed<std::string> parse_proxies(std::string_view text) {
    if (const auto network = access::Network::parse(text); !network)
        return std::unexpected{network.error()};
    return std::string{text};
}

Parsed<access::ForwardedField> parse_field(std::string_view text) {
    using enum access::ForwardedField;
    return parse_word<access::ForwardedField>(
        text, {{"x-forwarded-for", x_forwarded_for}, {"forwarded", forwarded}});
}

}  // namespace

void ProxiesReader::add() {
    reader_.group("Behind a proxy");
    reader_.values("--trust", "NETWORK", options_.trusted, parse_proxies,
                   "Believe the proxies of this network for which client they ask: 10.0.0.0/8, an "
                   "address, or unix; can be repeated");
    field_ =
        reader_.value("--trust-field", "x-forwarded-for|forwarded", options_.field, parse_field,
                      "The field in which they say so (default: x-forwarded-for)");
    reader_.values("--proxy-protocol", "NETWORK", options_.proxy_protocol, parse_proxies,
                   "Expect a header of the PROXY protocol, version 1 or 2, on each connection of "
                   "these proxies; can be repeated");
}

void ProxiesReader::finish() const {
    if (options_.trusted.empty() && field_->count() > 0)
        throw WrongUse{field_->given_by + " needs --trust"};
}

}  // namespace weir::cli
