#include "cli/trust/stores.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/trust/browser_store.h"
#include "cli/trust/system_store.h"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

/// Folders below the home folder. Chromium and Chrome have one database, Firefox has one for each
/// profile.
constexpr const char* databases[] = {".pki/nssdb", "snap/chromium/current/.pki/nssdb"};
constexpr const char* firefoxes[] = {".mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
                                     ".var/app/org.mozilla.firefox/.mozilla/firefox"};

void add_if_there(std::vector<std::unique_ptr<TrustStore>>& stores, const char* browser,
                  const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder / "cert9.db", error))
        stores.push_back(std::make_unique<BrowserStore>(browser, folder.string()));
}

}  // namespace

std::vector<std::unique_ptr<TrustStore>> trust_stores(const std::string& home) {
    std::vector<std::unique_ptr<TrustStore>> stores;
    if (auto store = SystemStore::find()) stores.push_back(std::move(store));
    if (home.empty()) return stores;
    for (const char* const folder : databases)
        add_if_there(stores, "Chromium and Chrome", fs::path{home} / folder);
    for (const char* const folder : firefoxes) {
        std::error_code error;
        for (const auto& profile : fs::directory_iterator{fs::path{home} / folder, error})
            add_if_there(stores, "Firefox", profile.path());
    }
    return stores;
}

}  // namespace weir::cli
