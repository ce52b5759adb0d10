#include "http/client/client_layer.h"
#include "http/layer.h"
#include "tls/client.h"
#include "weir/tls/tls.h"

// This file replaces all others of this folder in a build without OpenSSL.
namespace weir::tls {

std::string_view unavailable() noexcept {
    return "this build has no OpenSSL: install libssl-dev, and build weir again";
}

std::string library() { return {}; }

std::expected<std::shared_ptr<http::Layer>, std::string> open(Settings /*settings*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<std::shared_ptr<http::client::ClientLayer>, std::string> open_client(
    const ClientSettings& /*settings*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::string concern(const ClientSettings& /*settings*/) { return {}; }

std::vector<std::string> paths_read(const Settings& /*settings*/) { return {}; }

std::expected<KeptCertificate, std::string> keep_self_signed(
    const std::string& /*folder*/, const std::vector<std::string>& /*names*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<KeptCertificate, std::string> keep_local_ca(const std::string& /*folder*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<KeptCertificate, std::string> keep_locally_signed(
    const std::string& /*folder*/, const std::vector<std::string>& /*names*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<std::string, std::string> make_challenge(
    const std::string& /*host*/, std::span<const unsigned char, 32> /*digest*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<std::string, std::string> make_placeholder(
    const std::vector<std::string>& /*names*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<CaCertificate, std::string> read_ca(const std::string& /*path*/) {
    return std::unexpected{std::string{unavailable()}};
}

std::expected<std::string, NoAnswer> ask(int /*socket*/, const Question& /*question*/) {
    return std::unexpected{
        NoAnswer{.why = "can't be asked over TLS: " + std::string{unavailable()}}};
}

}  // namespace weir::tls
