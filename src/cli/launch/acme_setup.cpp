#include "cli/launch/acme_setup.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "acme/acme.h"
#include "base/bytes/base64.h"
#include "base/last_error.h"
#include "cli/options/state_folder.h"

namespace weir::cli {
namespace {

/// The file has the id of a key and the key, as the CA shows them.
std::expected<acme::ExternalAccount, std::string> read_account(const std::string& path) {
    std::ifstream file{path};
    if (!file) return std::unexpected{"cannot read " + path + ": " + last_error().message()};
    const std::string malformed =
        path + " of --acme-eab must have the id of a key, a space, and the key in base64url";
    acme::ExternalAccount account;
    std::string key, rest;
    if (!(file >> account.id >> key) || file >> rest) return std::unexpected{malformed};
    while (key.ends_with('=')) key.pop_back();
    const auto bytes = base64url_decoded(key);
    if (!bytes || bytes->empty()) return std::unexpected{malformed};
    account.key = *bytes;
    return account;
}

/// Gives a folder and all that is in it to a user, but for files that are also elsewhere: the user may
/// have linked them.
std::expected<void, std::string> give_to(const sandbox::User& user, const std::string& folder) {
    std::vector<std::string> paths{folder};
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{folder, error})
        if (entry.is_directory(error) || entry.hard_link_count(error) == 1)
            paths.push_back(entry.path().string());
    for (const std::string& path : paths)
        if (::lchown(path.c_str(), user.uid, user.gid) != 0)
            return std::unexpected{"cannot give " + path + " to " + user.name + ": " +
                                   last_error().message()};
    return {};
}

}  // namespace

std::expected<acme::Settings, std::string> prepare_acme(const LaunchOptions& options) {
    acme::Settings settings = options.tls.acme;
    if (const auto why = acme::unavailable(); !why.empty())
        return std::unexpected{std::string{why}};
    if (settings.folder.empty()) return std::unexpected{std::string{no_place_for_certificates}};
    if (const std::string& path = options.tls.acme_account; !path.empty()) {
        auto account = read_account(path);
        if (!account) return std::unexpected{account.error()};
        settings.applicant.external = std::move(*account);
    }
    if (auto prepared = acme::prepare(settings); !prepared)
        return std::unexpected{prepared.error()};
    if (options.user)
        if (auto given = give_to(*options.user, settings.folder); !given)
            return std::unexpected{given.error()};
    return settings;
}

std::string in_words(const acme::Settings& settings) {
    return "certificates from " + settings.directory + "\n  kept in " + settings.folder + "\n";
}

}  // namespace weir::cli
