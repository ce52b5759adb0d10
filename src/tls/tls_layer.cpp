#include "tls/tls_layer.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "tls/files/certificate_files.h"
#include "tls/openssl/algorithms.h"

namespace weir::tls {
namespace {

/// The files, and the folders to which files may be added.
std::vector<std::string> watched(const Settings& settings) {
    std::vector<std::string> paths = settings.staples;
    if (!settings.client_ca.empty()) paths.push_back(settings.client_ca);
    if (!settings.tickets.empty()) paths.push_back(settings.tickets);
    for (const CertificateFiles& files : settings.certificates) paths.push_back(files.chain);
    const auto pairs = without_folders(settings.certificates);
    if (!pairs) return paths;
    for (const CertificateFiles& files : *pairs) {
        paths.push_back(files.chain);
        if (!files.key.empty()) paths.push_back(files.key);
    }
    return paths;
}

/// Takes the secret of session tickets out of the settings, which live as long as the server.
std::shared_ptr<Context::Common> common_of(Settings& settings) {
    auto common = std::make_shared<Context::Common>();
    if (settings.ticket_secret.empty()) return common;
    common->tickets = TicketKeys::of(settings.ticket_secret);
    OPENSSL_cleanse(settings.ticket_secret.data(), settings.ticket_secret.size());
    settings.ticket_secret.clear();
    return common;
}

}  // namespace

std::expected<std::shared_ptr<http::Layer>, std::string> TlsLayer::open(Settings settings) {
    if (auto loaded = load_algorithms(); !loaded) return std::unexpected{loaded.error()};
    const auto& secret = settings.ticket_secret;
    if (!secret.empty() && secret.size() < TicketKeys::secret_bytes_min)
        return std::unexpected{"the secret of session tickets has less than " +
                               std::to_string(TicketKeys::secret_bytes_min) + " bytes"};
    auto layer = std::make_shared<TlsLayer>(std::move(settings));
    if (auto error = layer->read()) return std::unexpected{std::move(*error)};
    layer->look(std::time(nullptr));
    return layer;
}

TlsLayer::TlsLayer(Settings settings)
    : common_{common_of(settings)}, settings_{std::move(settings)} {
    factories_.session = [this] { return context_.load()->session(); };
    factories_.handshake_timeout = settings_.handshake_timeout;
    factories_.handshakes_max = settings_.handshakes_max;
    watch_.watch_too(common_->wake_up.fd());
}

void TlsLayer::begin(http::Protocols protocols) {
    common_->protocols = on_the_wire(protocols.names);
    factories_.protocol = std::move(protocols.make);
}

std::unique_ptr<http::Connection> TlsLayer::connect(http::Workspace& workspace,
                                                    http::Origin& origin, Now now) {
    if (!workspace.layer) workspace.layer = std::make_unique_for_overwrite<Buffers>();
    return std::make_unique<TlsConnection>(factories_, workspace, origin, now);
}

TlsLayer::Renewal TlsLayer::renew() {
    const bool is_woken = common_->wake_up.clear();
    if (watch_.take()) return read_again();
    return is_woken ? take_concern() : Renewal{};
}

/// Watches the files before it reads them, so that it does not miss a change in between.
std::optional<std::string> TlsLayer::read() {
    watch_.watch(watched(settings_));
    auto context = Context::make(settings_, common_);
    if (!context) return std::move(context.error());
    context_.store(std::move(*context));
    return std::nullopt;
}

TlsLayer::Renewal TlsLayer::read_again() {
    const auto error = read();
    const std::int64_t now = std::time(nullptr);
    if (error) {
        plan(now);
        return {Renewal::Result::failed, "the certificates stay as they were: " + *error};
    }
    look(now);
    return {Renewal::Result::done, "the certificates were read again: " + context_.load()->text()};
}

/// Returns the next warning as a renewal that failed, because nothing has changed for connections.
/// The clock of seconds may be behind the timer's clock (time(2), "coarse").
TlsLayer::Renewal TlsLayer::take_concern() {
    std::int64_t now = std::time(nullptr);
    if (auto name = common_->asked.take(); !name.empty()) {
        concerns_.push_back("clients ask most for " + name +
                            ", and no certificate is for that name: they get the one of " +
                            context_.load()->first_name());
    } else if (concerns_.empty() && planned_ != INT64_MAX) {
        now = std::max(now, planned_);
        look(now);
    }
    Renewal warning;
    if (!concerns_.empty()) {
        warning = {Renewal::Result::failed, std::move(concerns_.front())};
        concerns_.pop_front();
    }
    plan(now);
    return warning;
}

void TlsLayer::look(std::int64_t now) {
    told_at_ = now;
    const auto all = context_.load()->concerns(now);
    concerns_.assign(all.begin(), all.end());
    plan(now);
}

void TlsLayer::plan(std::int64_t now) noexcept {
    planned_ = context_.load()->next_concern(std::max(now, told_at_));
    if (concerns_.empty())
        common_->wake_up.set(planned_);
    else
        common_->wake_up.set_now();
}

std::string_view unavailable() noexcept { return {}; }

std::string library() {
    return std::string{"OpenSSL "} + ::OpenSSL_version(OPENSSL_VERSION_STRING);
}

std::expected<std::shared_ptr<http::Layer>, std::string> open(Settings settings) {
    return TlsLayer::open(std::move(settings));
}

/// Returns folders, because another file may replace each file; also the folders of the targets of
/// links.
std::vector<std::string> paths_read(const Settings& settings) {
    std::vector<std::string> paths = watched(settings);
    if (!settings.challenges.empty()) paths.push_back(settings.challenges);
    std::set<std::string> folders;
    for (const std::filesystem::path path : paths) {
        std::error_code error;
        const auto real = std::filesystem::canonical(path, error);
        const bool is_folder = std::filesystem::is_directory(path, error);
        const auto folder = is_folder ? path : path.parent_path();
        folders.insert(folder.empty() ? "." : folder.string());
        if (!real.empty()) folders.insert(is_folder ? real.string() : real.parent_path().string());
    }
    return {folders.begin(), folders.end()};
}

}  // namespace weir::tls
