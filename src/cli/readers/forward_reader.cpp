#include "cli/readers/forward_reader.h"

#include <algorithm>

namespace weir::cli {
namespace {

Parsed<std::string> parse_forward(std::string_view text) {
    if (const auto route = proxy::parse_route(text); !route) return std::unexpected{route.error()};
    return std::string{text};
}

Parsed<bool> parse_host(std::string_view text) {
    return parse_word<bool>(text, {{"client", false}, {"server", true}});
}

Parsed<std::uint64_t> parse_most(std::string_view text) { return parse_count(text, 1'000'000); }

}  // namespace

void ForwardReader::add() {
    reader_.group("Other servers", true);
    reader_.values("--proxy", "'/PATH: URL...'", options_.routes, parse_forward,
                   "Let another server answer the requests below /PATH, as in '/api: "
                   "http://127.0.0.1:3000'; can be repeated");
    host_ = reader_.value("--proxy-host", "client|server", options_.sets_host, parse_host,
                          "Host for the servers of --proxy: that of the client, or that of the URL "
                          "(default: client)");
    timeout_ = reader_.value("--proxy-timeout", "TIME", options_.timeout, parse_duration,
                             "Longest wait for the head of a response of such a server; 0: no "
                             "limit (default: 60s)");
    connections_ =
        reader_.value("--proxy-connections", "N", options_.connections_max, parse_most,
                      "Most connections of a thread to one such server; further requests "
                      "wait for one; 0: no limit (default: 0)");
    content_max_ =
        reader_.value("--proxy-content-max", "SIZE", options_.content_bytes_max, parse_size,
                      "Largest content of a request to such a server; 0: no limit "
                      "(default: 0)");
    certificate_ =
        reader_.value("--proxy-tls-cert", "FILE", options_.certificate.chain, parse_text,
                      "Certificate and chain (PEM) for such servers of https:// that ask "
                      "for a client's (by default, they get none)");
    key_ = reader_.value("--proxy-tls-key", "FILE", options_.certificate.key, parse_text,
                         "Key (PEM) of --proxy-tls-cert (by default, it is in the certificate's "
                         "file)");
}

void ForwardReader::finish() const {
    std::vector<proxy::Route> routes;
    routes.reserve(options_.routes.size());
    for (const std::string& text : options_.routes) routes.push_back(*proxy::parse_route(text));
    if (key_->count() > 0 && certificate_->count() == 0)
        throw WrongUse{key_->given_by + " needs --proxy-tls-cert"};
    if (certificate_->count() > 0 && !std::ranges::any_of(routes, &proxy::Route::needs_tls))
        throw WrongUse{certificate_->given_by + " needs --proxy with a server of https://"};
    if (const std::string path = proxy::find_repeated(routes); !path.empty())
        throw WrongUse{"two --proxy have the path " + path +
                       "; one --proxy names several servers, as in '/api: http://a http://b'"};
    if (!options_.routes.empty()) return;
    for (const OptionReader::Added* const added : {host_, timeout_, connections_, content_max_})
        if (added->count() > 0) throw WrongUse{added->given_by + " needs --proxy"};
}

}  // namespace weir::cli
