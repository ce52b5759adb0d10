#include "cli/launch/certificate_keeper.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string_view>

#include "acme/acme.h"
#include "base/last_error.h"
#include "cli/beside/process.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"
#include "net/write_all.h"
#include "weir/server/log.h"

namespace weir::cli {
namespace {

/// CAs limit requests.
constexpr net::RestartLimits pauses{
    .soon = std::chrono::hours{1}, .first = std::chrono::seconds{1}, .most = std::chrono::hours{1}};

void tell(bool is_failure, std::string_view sentence) {
    server::standard_error_log().write(
        is_failure ? server::Severity::warning : server::Severity::info, sentence);
}

/// Returns an exit status.
int ask_cas(const acme::Settings& settings) {
    tell(true, "no certificates are renewed: " + acme::keep(settings, tell));
    return 1;
}

bool await_byte(int pipe) {
    char byte = 0;
    return net::uninterrupted([&] { return ::read(pipe, &byte, 1); }) == 1;
}

}  // namespace

std::string CertificateKeeper::start(const acme::Settings& settings) {
    if (settings.hosts.empty()) return {};
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return "cannot start the process that keeps certificates: " + last_error().message();
    const net::UniqueFd reader{ends[0]};
    go_ = net::UniqueFd{ends[1]};
    return start_beside({.name = "weir-acme",
                         .in_words = "the process that keeps certificates",
                         .pauses = pauses,
                         .descriptors = {reader.get()},
                         .await_begin = [&] { return await_byte(reader.get()); },
                         .run = [&] { return ask_cas(settings); }});
}

void CertificateKeeper::begin() {
    if (go_) net::write_all(go_.get(), "!");
    go_ = {};
}

}  // namespace weir::cli
