#include "cli/trust/browser_store.h"

#include <vector>

#include "cli/trust/program.h"

namespace weir::cli {
namespace {

/// Runs certutil(1) for a database. `options` come before the database.
std::expected<int, std::string> certutil(const std::string& folder, const LocalCa& ca,
                                         std::vector<std::string> options,
                                         Messages messages = Messages::shown) {
    std::vector<std::string> words{"certutil", "-d", "sql:" + folder, "-n",
                                   "weir local CA " + ca.id};
    words.insert(words.end(), options.begin(), options.end());
    auto status = run_program(std::move(words), messages);
    if (!status) return std::unexpected{status.error() + " (Debian: apt install libnss3-tools)"};
    return status;
}

TrustStore::Result result_of(const std::expected<int, std::string>& status, std::string done) {
    if (!status) return std::unexpected{status.error()};
    if (*status != 0)
        return std::unexpected{"certutil ended with status " + std::to_string(*status)};
    return done;
}

}  // namespace

/// "C": a CA that is trusted for servers.
TrustStore::Result BrowserStore::add(const LocalCa& ca) const {
    return result_of(certutil(folder_, ca, {"-A", "-t", "C,,", "-i", ca.file}), "trusts it now");
}

TrustStore::Result BrowserStore::remove(const LocalCa& ca) const {
    const auto found = certutil(folder_, ca, {"-L"}, Messages::dropped);
    if (!found) return std::unexpected{found.error()};
    if (*found != 0) return "does not have it";
    return result_of(certutil(folder_, ca, {"-D"}), "trusts it no longer");
}

}  // namespace weir::cli
