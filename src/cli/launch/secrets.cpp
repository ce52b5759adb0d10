#include "cli/launch/secrets.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "acme/settings/settings.h"
#include "cli/launch/access_around.h"
#include "cli/launch/file_place.h"
#include "cli/launch/tls_setup.h"
#include "cli/options/state_folder.h"
#include "server/log/target/log_destination.h"

namespace weir::cli {
namespace {

namespace fs = std::filesystem;
using server::LogDestination;

constexpr const char* standard_error = "/proc/self/fd/2";

bool is_key(const fs::path& path) {
    return path.extension() == ".key" || path.filename() == "privkey.pem";
}

/// Adds a folder with its subfolders, as in tls::CertificateFiles, and the targets of links to
/// keys.
void add_folder(std::vector<Secret>& secrets, const fs::path& folder, bool with_folders = true) {
    std::error_code error;
    secrets.push_back({"the folder of keys", folder.string() + "/"});
    for (const auto& entry : fs::directory_iterator{folder, error}) {
        std::error_code ignored;
        if (with_folders && entry.is_directory(ignored)) add_folder(secrets, entry.path(), false);
        if (entry.is_symlink(ignored) && is_key(entry.path()))
            secrets.push_back({"the key", entry.path().string()});
    }
}

void add_keys(std::vector<Secret>& secrets, const tls::CertificateFiles& files) {
    std::error_code error;
    if (fs::is_directory(files.chain, error))
        add_folder(secrets, files.chain);
    else if (files.key.empty())
        secrets.push_back({"the certificate with its key", files.chain});
    else
        secrets.push_back({"the key", files.key});
}

void add_secrets(std::vector<Secret>& secrets, const SiteOptions& options) {
    if (!options.forward.certificate.chain.empty()) add_keys(secrets, options.forward.certificate);
    for (const std::string& file : files_read(options))
        secrets.push_back({"the file of passwords", file});
    for (const access::SignedRule& rule : options.access.signed_links)
        secrets.push_back({"the secret of signed links", rule.key_file});
}

/// True for names that the site hides: those that begin with a dot, except /.well-known (RFC 8615).
bool is_hidden(const std::string& path) {
    const std::string from_root = "/" + path;
    constexpr std::string_view well_known = "/.well-known/";
    const auto begin = from_root.starts_with(well_known) ? well_known.size() - 1 : 0;
    return from_root.find("/.", begin) != from_root.npos;
}

bool is_regular_or_new(const std::string& path) {
    std::error_code error;
    return !fs::exists(path, error) || fs::is_regular_file(path, error) ||
           fs::is_directory(path, error);
}

bool is_served(const std::string& path, const FileTree& tree, const site::Options& site) {
    std::error_code error;
    if (!is_regular_or_new(path)) return false;
    if (!site.file.empty()) return fs::equivalent(path, fs::path{site.root} / site.file, error);
    const auto from_root = tree.path_of(real_path(path));
    return from_root && (site.dotfiles || !is_hidden(*from_root));
}

/// The keys that weir keeps by itself, of other starts, too.
std::vector<Secret> kept_keys() {
    std::vector<Secret> keys;
    for (std::string& own : own_keys()) keys.push_back({"the key", std::move(own)});
    std::error_code error;
    for (const auto& ca : fs::directory_iterator{acme_folders(), error}) {
        keys.push_back({"the key of the account", acme::account_path(ca.path())});
        keys.push_back({"the folder of keys", acme::certificates_path(ca.path()) + "/"});
    }
    return keys;
}

std::string name_of(const Secret& secret) {
    const std::string real = real_path(secret.path);
    const std::string given = secret.path == standard_error ? "standard error" : secret.path;
    std::error_code error;
    const bool is_plain = fs::absolute(secret.path, error).lexically_normal() == real;
    return secret.what + ' ' + (is_plain ? real : given + " (" + real + ")");
}

}  // namespace

std::vector<Secret> secrets_of(const ServeOptions& options) {
    std::vector<Secret> secrets;
    add_secrets(secrets, options);
    for (const NamedSite& site : options.sites) add_secrets(secrets, site.options);
    const auto log = LogDestination::of(options.server.access_log.path);
    if (log.is_file()) secrets.push_back({"the access log", log.path});
    if (log.kind == LogDestination::Kind::standard_error)
        secrets.push_back({"the access log", standard_error});
    if (!options.site.file.empty()) std::ranges::move(kept_keys(), std::back_inserter(secrets));
    if (!options.tls.on) return secrets;
    const tls::Settings& tls = options.tls.settings;
    for (const tls::CertificateFiles& files : tls.certificates) add_keys(secrets, files);
    if (!tls.tickets.empty()) secrets.push_back({"the secret of session tickets", tls.tickets});
    if (const auto& acme = options.tls.acme; !acme.hosts.empty())
        secrets.push_back({"the key of the account", acme::account_path(acme.folder)});
    if (tls.certificates.empty())
        for (std::string& own : own_keys()) secrets.push_back({"the key", std::move(own)});
    return secrets;
}

std::vector<std::string> withheld(const std::vector<Secret>& secrets) {
    std::vector<std::string> paths;
    std::ranges::transform(secrets, std::back_inserter(paths), &Secret::path);
    for (const char* const stream : {"/proc/self/fd/1", standard_error}) {
        std::error_code error;
        if (fs::is_regular_file(stream, error)) paths.emplace_back(stream);
    }
    std::ranges::sort(paths);
    const auto twice = std::ranges::unique(paths);
    paths.erase(twice.begin(), twice.end());
    return paths;
}

std::vector<std::string> keys_below(const site::Options& site) {
    std::vector<std::string> paths;
    const FileTree tree{site.root};
    for (Secret& key : kept_keys())
        if (is_served(key.path, tree, site)) paths.push_back(std::move(key.path));
    return paths;
}

std::string exposed(const std::vector<Secret>& secrets, const site::Options& site) {
    const FileTree tree{site.root};
    for (const Secret& secret : secrets) {
        if (!is_served(secret.path, tree, site)) continue;
        const std::string what = name_of(secret);
        if (!site.file.empty()) return what + " is the file to serve: anyone could download it";
        return what + " is below " + real_path(site.root) +
               ", which is served: anyone could download it. Keep it in another folder";
    }
    return {};
}

}  // namespace weir::cli
