#include "acme/json/problem.h"

#include <algorithm>
#include <array>
#include <span>
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

/// Of a challenge. As answers to requests, these kinds mean something else.
constexpr std::string_view other_machine =
    "another machine answers: the name must lead to this server";
constexpr std::array challenge_advices{Advice{"unauthorized", other_machine},
                                       Advice{"incorrectResponse", other_machine}};

/// CAs do not agree on a kind for a wrong key, and RFC 8555 7.3.4 names none.
constexpr std::string_view wrong_key = "the CA does not accept the key of --acme-eab";
constexpr std::array binding_advices{
    Advice{"unauthorized", wrong_key}, Advice{"externalAccountRequired", wrong_key},
    Advice{"malformed", wrong_key}, Advice{"badSignatureAlgorithm", wrong_key}};

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

std::string_view advice_in(std::span<const Advice> some, std::string_view kind) {
    const auto advice = std::ranges::find(some, kind, &Advice::kind);
    return advice == some.end() ? std::string_view{} : advice->sentence;
}

std::string_view advice_for(std::string_view kind, About about) {
    std::string_view first;
    if (about == About::challenge) first = advice_in(challenge_advices, kind);
    if (about == About::binding) first = advice_in(binding_advices, kind);
    return first.empty() ? advice_in(advices, kind) : first;
}

std::string sentence_of(std::string_view kind, About about, const std::string& detail,
                        unsigned status) {
    std::string sentence{advice_for(kind, about)};
    const std::string reason =
        detail.empty() ? "status " + std::to_string(status) : line_of(detail);
    if (sentence.empty()) return "the CA says: " + reason;
    return sentence + " (" + reason + ")";
}

}  // namespace

Problem problem_of(const Json& document, About about, unsigned status,
                   std::optional<Problem::Seconds> retry_after) {
    const Json exact = most_exact(document);
    std::string kind = kind_of(exact);
    if (kind.empty() || kind == "compound") kind = kind_of(document);
    const std::string detail = text_in(exact, "detail");
    const std::string sentence = sentence_of(kind, about, detail, status);
    return {std::move(kind), sentence, retry_after};
}

}  // namespace weir::acme
