#include <algorithm>
#include <array>
#include <cstdlib>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/options/option_reader.h"
#include "cli/options/state_folder.h"
#include "cli/trust/stores.h"
#include "weir/tls/tls.h"

// `weir trust` has this machine trust the CA of `weir serve --tls=local`.
namespace weir::cli {
namespace {

constexpr std::string_view command = "weir trust";
constexpr std::size_t id_digits = 16;

constexpr std::array examples{
    Example{"weir trust", "have browsers and programs of this machine trust the local CA"},
    Example{"weir serve --tls=local", "serve with a certificate from it"},
    Example{"weir trust --remove", "take it out again"},
};

struct TrustReader {
    TrustReader() {
        reader.group("Options");
        reader.flag("--remove", removes, "Take the CA out of the stores again");
        reader.value("--ca", "FILE", file, parse_text,
                     "The CA (PEM); by default, that of this user, which is made if there is none");
        reader.help_flag();
    }

    bool removes = false;
    std::string file;
    OptionReader reader{
        {.command = "trust",
         .summary = "have this machine trust the CA of serve --tls=local",
         .usage = "[option...]",
         .description =
             "Puts the local CA into the system's store, which takes root, and into those of "
             "Chromium, Chrome and Firefox, which takes certutil. A program that has the key of "
             "the CA can make certificates for every name, and these stores accept them: keep "
             "the key where it is.",
         .examples = examples}};
};

/// The file of the CA. It is made if there is none, but not for its removal.
std::expected<std::string, std::string> file_of(const TrustReader& options) {
    std::error_code error;
    if (!options.file.empty()) return std::filesystem::absolute(options.file, error).string();
    const std::string folder = state_folder();
    if (folder.empty())
        return std::unexpected{
            std::string{"there is no place for a CA: set HOME or XDG_STATE_HOME"}};
    std::string file = local_ca_in(folder);
    if (options.removes && !std::filesystem::exists(file, error))
        return std::unexpected{"there is no local CA: " + file};
    if (options.removes) return file;
    const auto kept = tls::keep_local_ca(folder);
    if (!kept) return std::unexpected{kept.error()};
    return kept->files.chain;
}

LocalCa ca_of(std::string file, tls::CaCertificate certificate) {
    std::string id = certificate.fingerprint;
    std::erase(id, ':');
    id.resize(std::min(id.size(), id_digits));
    return {.file = std::move(file), .pem = std::move(certificate.pem), .id = std::move(id)};
}

/// Returns an exit code.
int change(const LocalCa& ca, bool removes) {
    const char* const home = std::getenv("HOME");
    const auto stores = trust_stores(home ? home : "");
    if (stores.empty()) return fail(command, "found no store of CAs on this machine");
    int status = exit_code::success;
    for (const auto& store : stores) {
        const auto result = removes ? store->remove(ca) : store->add(ca);
        if (result)
            say(store->name() + ' ' + *result + '\n');
        else
            status = fail(command, store->name() + ": " + result.error());
    }
    return status;
}

}  // namespace

int trust(std::vector<std::string> arguments) {
    TrustReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    if (const auto why = tls::unavailable(); !why.empty()) return fail(command, why);
    auto file = file_of(options);
    if (!file) return fail(command, file.error());
    auto certificate = tls::read_ca(*file);
    if (!certificate) return fail(command, certificate.error());
    say("The local CA is " + *file + "\n  its SHA-256 fingerprint is " + certificate->fingerprint +
        '\n');
    return change(ca_of(std::move(*file), std::move(*certificate)), options.removes);
}

Page trust_page() { return TrustReader{}.reader.page(); }

}  // namespace weir::cli
