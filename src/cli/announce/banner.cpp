#include "cli/announce/banner.h"

#include <algorithm>
#include <ranges>

#include "cli/announce/urls.h"
#include "cli/help/version_number.h"
#include "net/system/system_limits.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

bool is_unix(std::string_view address) { return address.starts_with("unix:"); }

void append_places(std::string& out, const BannerFacts& facts) {
    const Urls urls =
        urls_of(facts.addresses, facts.machine_addresses, facts.has_tls ? "https" : "http");
    const auto append = [&out](const std::string& place) { out += "  " + place + '\n'; };
    std::ranges::for_each(urls.here, append);
    std::ranges::for_each(urls.others, append);
    std::ranges::for_each(facts.addresses | std::views::filter(is_unix), append);
    for (const std::string& redirecting : facts.redirect_addresses)
        append("http://" + redirecting + "/ redirects there");
}

/// Names the clients that can connect, unless all can.
void append_reach(std::string& out, std::span<const std::string> addresses) {
    if (std::ranges::all_of(addresses, is_unix)) {
        out += "only programs with write permission on the socket can connect\n";
    } else if (server::are_local(addresses)) {
        out += "only this machine can connect; use --bind 0.0.0.0 to let others in\n";
    }
}

void append_admin(std::string& out, const std::string& address) {
    if (address.empty()) return;
    out += "metrics and probes at " + (is_unix(address) ? address : "http://" + address + "/");
    out += server::are_local({&address, 1}) ? "\n" : ", for other machines, too\n";
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
    constexpr std::uint32_t descriptors_besides = 300;  // for open files, logs and loops
    if (facts.backlog_max < backlog_enough)
        out += "note: at most " + std::to_string(facts.backlog_max) +
               " connections can wait to be accepted; to allow more: sysctl "
               "net.core.somaxconn=4096\n";
    if (!facts.watches_files)
        out +=
            "note: changes of files can't be watched (inotify), so each file is checked for each "
            "request; if watches are used up: sysctl fs.inotify.max_user_watches=1048576 "
            "fs.inotify.max_user_instances=1024\n";
    if (facts.descriptors_max <
        std::max(descriptors_enough, facts.connections_max + descriptors_besides))
        out += "note: the limit on open files is " + std::to_string(facts.descriptors_max) +
               ", connections included; raise it with " + net::more_descriptors() + '\n';
}

std::string listed(std::span<const std::string> parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

void append_sandbox(std::string& out, const sandbox::Report& report,
                    std::span<const std::string> follows) {
    if (!report.on.empty()) out += "sandbox: limits on " + listed(report.on) + '\n';
    for (const std::string& part : report.off) out += "sandbox: no limits on " + part + '\n';
    if (!follows.empty())
        out += "sandbox: another folder may take the place of this one below " + listed(follows) +
               '\n';
}

}  // namespace

std::string banner(const BannerFacts& facts) {
    std::string text = "weir ";
    text += version_number;
    text += " serves " + facts.served + '\n';
    append_places(text, facts);
    text += facts.certificate;
    append_admin(text, facts.admin);
    append_engine(text, facts);
    if (facts.sandbox) append_sandbox(text, *facts.sandbox, facts.follows);
    append_reach(text, facts.addresses);
    if (facts.has_no_index && !server::are_local(facts.addresses))
        text += "note: the folder has no index file, so / answers 404; --listing lists its files\n";
    append_notes(text, facts);
    return text;
}

}  // namespace weir::cli
