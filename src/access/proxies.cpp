#include "weir/access/proxies.h"

#include <optional>
#include <utility>

#include "access/proxies/hops.h"
#include "access/request/client.h"
#include "access/request/network.h"
#include "http/client_origin.h"

namespace weir::access {
namespace {

class TrustedProxies final : public http::Handler {
   public:
    TrustedProxies(http::Handler& inner, NetworkList networks, ForwardedField field)
        : inner_{inner}, networks_{std::move(networks)}, field_{field} {}

    http::Reply handle(const http::Request& request) override {
        if (any_contains(networks_, Client::of(request)) && !name_client(request))
            return http::error_response(http::Status::bad_request,
                                        "The field that names the client of a proxy can't be read");
        return inner_.handle(request);
    }

   private:
    /// False if the field is malformed.
    bool name_client(const http::Request& request) const {
        std::string_view client;  // the address that was reached; empty: that of the peer
        std::string_view scheme =
            field_ == ForwardedField::forwarded ? std::string_view{} : x_forwarded_proto(request);
        Hops hops{request, field_};
        while (const auto hop = hops.next()) {
            if (hop->kind == Hop::Kind::malformed) return false;
            const bool has_address = hop->kind == Hop::Kind::address;
            client = has_address ? hop->address : "unknown";
            if (field_ == ForwardedField::forwarded) scheme = hop->scheme;
            if (!has_address || !any_contains(networks_, Client::parse(client))) break;
        }
        if (!client.empty()) request.come_from(std::string{client});
        note_scheme(request, scheme, !client.empty());
        return true;
    }
    static void note_scheme(const http::Request& request, std::string_view scheme, bool has_come) {
        const bool is_https = http::equals_ignoring_case(scheme, "https");
        if (!is_https && !http::equals_ignoring_case(scheme, "http")) return;
        if (!has_come) {
            std::string address;
            request.origin().append_address(address);
            request.come_from(std::move(address));
        }
        static_cast<const http::ClientOrigin&>(request.origin()).note_security(is_https);
    }

    http::Handler& inner_;
    const NetworkList networks_;
    const ForwardedField field_;
};

}  // namespace

std::expected<std::unique_ptr<http::Handler>, std::string> trust_proxies(
    http::Handler& inner, const std::vector<std::string>& networks, ForwardedField field) {
    auto parsed = parse_networks(networks);
    if (!parsed) return std::unexpected{std::move(parsed.error())};
    return std::make_unique<TrustedProxies>(inner, std::move(*parsed), field);
}

std::expected<std::function<bool(std::string_view)>, std::string> is_one_of(
    const std::vector<std::string>& networks) {
    auto parsed = parse_networks(networks);
    if (!parsed) return std::unexpected{std::move(parsed.error())};
    return [networks = std::move(*parsed)](std::string_view address) {
        return any_contains(networks, Client::parse(address));
    };
}

}  // namespace weir::access
