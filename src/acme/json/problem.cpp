#include "acme/json/problem.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::acme {
namespace {

constexpr std::string_view type_prefix = "urn:ietf:params:acme:error:";
constexpr std::size_t detail_bytes_max = 1'000;

struct Advice {
    std::string_view kind;
    std::string_view sentence;
};

/// The kinds (RFC 8555 6.7) for which an operator can do something.
constexpr std::array advices{
    Advice{"connection",
           "the CA can't connect to this machine: ports 80 and 443 must be open, and "
           "lead to this server"},
    Advice{"dns", "the name has no address, or its DNS server does not answer"},
    Advice{"unauthorized", "another machine answers: the name must lead to this server"},
    Advice{"incorrectResponse", "another machine answers: the name must lead to this server"},
    Advice{"tls", "the CA can't make a connection with TLS to port 443 of this machine"},
    Advice{"caa", "a CAA record of the name allows other CAs alone"},
    Advice{"rateLimited", "a limit of the CA is reached"},
    Advice{"rejectedIdentifier", "the CA gives no certificate for this name"},
    Advice{"externalAccountRequired",
           "the CA wants an account of its own, whose key --acme-eab names"},
    Advice{"invalidContact", "the CA does not accept the address of --acme-email"},
    Advice{"unsupportedContact", "the CA does not accept the address of --acme-email"},
    Advice{"userActionRequired", "the CA has new terms, which its page explains"},
};

/// Text of a peer for a log: one line of limited length, in which a terminal interprets nothing.
std::string line_of(std::string text) {
    if (text.size() > detail_bytes_max) text.resize(detail_bytes_max);
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, ' ');
    return text;
}

/// The sub-problem (RFC 8555 6.7.1) says more than the whole.
Json most_exact(const Json& document) {
    const Json all = list_in(document, "subproblems");
    return !all.empty() && all.front().is_object() ? all.front() : document;
}

std::string kind_of(const Json& document) {
    std::string type = text_in(document, "type");
    return type.starts_with(type_prefix) ? type.substr(type_prefix.size()) : std::string{};
}

std::string sentence_of(std::string_view kind, const std::string& detail, unsigned status) {
    const auto advice = std::ranges::find(advices, kind, &Advice::kind);
    std::string sentence{advice == advices.end() ? "" : advice->sentence};
    const std::string reason =
        detail.empty() ? "status " + std::to_string(status) : line_of(detail);
    if (sentence.empty()) return "the CA says: " + reason;
    return sentence + " (" + reason + ")";
}

}  // namespace

Problem problem_of(const Json& document, unsigned status,
                   std::optional<Problem::Seconds> retry_after) {
    const Json exact = most_exact(document);
    std::string kind = kind_of(exact);
    if (kind.empty() || kind == "compound") kind = kind_of(document);
    const std::string detail = text_in(exact, "detail");
    const std::string sentence = sentence_of(kind, detail, status);
    return {std::move(kind), sentence, retry_after};
}

}  // namespace weir::acme
