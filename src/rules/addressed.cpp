#include "rules/addressed.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include "http/answer/location.h"
#include "http/client_origin.h"
#include "rules/moves/encoding.h"
#include "rules/moves/host_name.h"
#include "site/path/target_path.h"

namespace weir::rules {
namespace {

std::string with_query(std::string target, std::string_view query) {
    if (!query.empty()) target.append("?").append(query);
    return target;
}

}  // namespace

bool is_called_again(const http::Reply& reply) noexcept {
    return std::holds_alternative<http::ReadContent>(reply) ||
           std::holds_alternative<http::StreamContent>(reply);
}

std::string own_origin(const http::Request& request) {
    std::string origin = http::is_secure(request.origin()) ? "https://" : "http://";
    return normal_origin(origin.append(request.authority()));
}

std::optional<Destination> destination_of(const http::Request& request, std::string_view prefix,
                                          std::string_view path, std::string_view query,
                                          const std::vector<Move>& moves) {
    if (moves.empty()) return std::nullopt;
    const auto decoded = site::decoded_path(path);
    const auto decoded_prefix = prefix.empty() ? std::string{} : site::decoded_path(prefix);
    if (!decoded || !decoded_prefix) return std::nullopt;
    const HostName host{request.authority()};
    const Asked asked{.method = request.method_text(),
                      .host = host.text(),
                      .path = *decoded,
                      .query = query,
                      .prefix = *decoded_prefix};
    return find_destination(moves, asked, own_origin(request));
}

http::Reply Addressed::handle(const http::Request& request) {
    const std::string_view whole = request.path();
    const std::size_t prefix_bytes = prefix_ ? prefix_->size_in(whole) : 0;
    if (prefix_ && prefix_bytes == 0) return inner_.handle(request);
    const std::string_view prefix = whole.substr(0, prefix_bytes);
    const std::string_view path = whole.substr(prefix_bytes);
    const auto found = destination_of(request, prefix, path, request.query(), rewrites_);
    if (!found && !prefix_) return inner_.handle(request);
    std::string target{request.prefix()};
    const std::size_t all_bytes = target.size() + prefix_bytes;
    target.append(prefix).append(found ? found->target
                                       : with_query(std::string{path}, request.query()));
    const auto before = request.rewrite(target, static_cast<std::uint32_t>(all_bytes));
    http::Reply reply = inner_.handle(request);
    if (is_called_again(reply)) request.restore(before);
    return reply;
}

std::expected<std::unique_ptr<http::Handler>, std::string> lead(
    http::Handler& inner, const std::vector<std::string>& rewrites, std::string_view prefix) {
    auto moves = parse_moves(rewrites, Move::parse_rewrite);
    if (!moves) return std::unexpected{std::move(moves.error())};
    if (prefix.empty()) return std::make_unique<Addressed>(inner, std::move(*moves), std::nullopt);
    auto path = PrefixPath::parse(prefix);
    if (!path) return std::unexpected{std::move(path.error())};
    return std::make_unique<Addressed>(inner, std::move(*moves), std::move(*path));
}

http::Reply BelowPrefix::handle(const http::Request& request) {
    const bool is_for_all = request.form() == http::TargetForm::asterisk;
    if (!request.prefix().empty() || is_for_all) return inner_.handle(request);
    if (prefix_.is(request.path())) return redirect(request);
    return http::error_response(http::Status::not_found);
}

http::Response BelowPrefix::redirect(const http::Request& request) const {
    std::string location;
    append_path(location, prefix_.text());
    location += '/';
    http::Response response = http::error_response(http::Status::permanent_redirect);
    // Without no-cache, browsers would keep the redirect, even if another site lies there later.
    response.add("Location", http::location_from(with_query(std::move(location), request.query())))
        .add("Cache-Control", "no-cache");
    return response;
}

}  // namespace weir::rules
