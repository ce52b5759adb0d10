#include "acme/acme.h"

#include <chrono>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "acme/folder/certificate.h"
#include "acme/folder/lock.h"
#include "acme/keep/keeper.h"
#include "acme/keys/account_key.h"
#include "tls/files/private_file.h"
#include "weir/client/client.h"
#include "weir/server/run.h"
#include "weir/tls/tls.h"
#include "weir/web/await.h"

namespace weir::acme {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t answer_bytes_max = std::size_t{1} << 20U;

std::expected<void, std::string> make_folder(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (!error) fs::permissions(path, fs::perms::owner_all, error);
    if (error) return std::unexpected{"cannot make " + path + ": " + error.message()};
    return {};
}

std::expected<void, std::string> begin_with_placeholder(const std::string& path,
                                                        const std::string& host) {
    const auto before = read_certificate(path, host);
    if (before && !(before->is_placeholder && before->until < std::time(nullptr))) return {};
    const auto made = tls::make_placeholder({host});
    if (!made) return std::unexpected{made.error()};
    return tls::write_private(path, *made);
}

/// Clocks are set, and machines sleep; so the times are those of the calendar.
web::Task<void> keep_for_ever(Keeper& keeper) {
    for (;;) {
        const std::int64_t now = std::time(nullptr);
        const std::int64_t next = co_await keeper.look_after_all(now);
        co_await web::sleep_for(std::chrono::seconds{next - now});
    }
}

}  // namespace

std::string_view unavailable() noexcept { return {}; }

std::expected<void, std::string> prepare(const Settings& settings) {
    for (const std::string& path :
         {settings.folder, certificates_path(settings.folder), challenges_path(settings.folder)})
        if (auto made = make_folder(path); !made) return made;
    if (!settings.ca.empty())  // to read those of the system takes a while
        if (auto tls = tls::open_client({.ca = settings.ca}); !tls)
            return std::unexpected{tls.error()};
    // A keeper may hold the lock of the whole folder for minutes.
    const net::UniqueFd locked = lock(certificates_path(settings.folder));
    if (auto key = AccountKey::keep(account_path(settings.folder)); !key)
        return std::unexpected{key.error()};
    for (const std::string& host : settings.hosts)
        if (auto begun = begin_with_placeholder(certificate_path(settings.folder, host), host);
            !begun)
            return begun;
    return {};
}

std::string keep(const Settings& settings, const Tell& tell) {
    auto tls = tls::open_client({.ca = settings.ca});
    if (!tls) return tls.error();
    web::Client client{{.content_bytes_max = answer_bytes_max, .tls = std::move(*tls)}};
    Keeper keeper{settings, client, tell};
    server::run(keep_for_ever(keeper));
    return {};
}

}  // namespace weir::acme
