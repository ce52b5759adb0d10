#include "cli/banner.h"

#include <algorithm>

#include "cli/version.h"
#include "net/address.h"
#include "server/endpoint.h"

namespace weir::cli {
namespace {

std::string url(std::string_view host, std::uint16_t port) {
    const auto address = net::Address::parse(host, port);
    return "http://" + (address ? address->text() : std::string{host}) + "/";
}

bool same_family(const net::Address& listening, std::string_view host) {
    const auto address = net::Address::parse(host, 0);
    return address && address->family() == listening.family();
}

/// 0.0.0.0 is no address to type into a browser: each by which somebody gets there is.
void append_urls(std::string& out, const net::Address& listening, const BannerFacts& facts) {
    const auto append = [&out](const std::string& text) { out += "  " + text + '\n'; };
    if (listening.is_unix()) return append(listening.text());
    if (!listening.is_any()) return append(url(listening.host(), listening.port()));
    append(url(listening.family() == AF_INET ? "127.0.0.1" : "::1", listening.port()));
    for (const std::string& host : facts.machine_addresses)
        if (same_family(listening, host)) append(url(host, listening.port()));
}

void append_engine(std::string& out, const BannerFacts& facts) {
    out += "engine ";
    out += facts.engine;
    if (facts.workers > 0)
        out += ", " + std::to_string(facts.workers) + (facts.workers == 1 ? " worker" : " workers");
    if (!facts.why_engine.empty()) out += " (auto: " + facts.why_engine + ")";
    out += "; Ctrl-C stops it\n";
}

void append_notes(std::string& out, const BannerFacts& facts) {
    constexpr int backlog_enough = 1'024;
    constexpr std::uint32_t descriptors_enough = 4'096;
    constexpr std::uint32_t descriptors_besides = 300;  // files that are open, logs, loops
    if (facts.backlog_max < backlog_enough)
        out += "note: at most " + std::to_string(facts.backlog_max) +
               " connections can wait to be accepted; sysctl net.core.somaxconn=4096 allows more\n";
    if (facts.descriptors_max <
        std::max(descriptors_enough, facts.connections_max + descriptors_besides))
        out += "note: this process may open " + std::to_string(facts.descriptors_max) +
               " files and connections; ulimit -Hn, or LimitNOFILE= of its unit, allows more\n";
}

}  // namespace

std::string banner(const BannerFacts& facts) {
    std::string text = "weir ";
    text += version_number;
    text += " serves " + facts.served + '\n';
    bool for_others = false;
    for (const std::string& address : facts.addresses) {
        const auto listening = server::parse_endpoint(address, 0);
        if (!listening) continue;
        append_urls(text, *listening, facts);
        for_others = for_others || !(listening->is_unix() || listening->is_loopback());
    }
    append_engine(text, facts);
    if (!for_others) text += "only this machine can reach it; --bind 0.0.0.0 opens it to others\n";
    append_notes(text, facts);
    return text;
}

}  // namespace weir::cli
