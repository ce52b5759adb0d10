#include "client/redirect.h"

#include <array>

#include "http/syntax/name_list.h"

namespace weir::web::detail {
namespace {

/// As browsers do: https://fetch.spec.whatwg.org/#http-redirect-fetch
bool becomes_get(const ClientRequest& request, http::Status status) noexcept {
    using enum http::Status;
    if (status == see_other) return request.method() != "GET" && request.method() != "HEAD";
    return (status == moved_permanently || status == found) && request.method() == "POST";
}

bool describes_content(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 4> names = {"Content-Type", "Content-Encoding",
                                                       "Content-Language", "Content-Location"};
    return http::is_one_of(name, names);
}

/// For the server that the program has named, not for the one that this server names.
bool is_for_one_origin(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 4> names = {"Authorization", "Cookie", "Host",
                                                       "Proxy-Authorization"};
    return http::is_one_of(name, names);
}

}  // namespace

ClientRequest redirected(const ClientRequest& request, http::Status status, const Url& from,
                         const Url& to) {
    const bool is_get = becomes_get(request, status);
    const bool leaves = !are_of_one_origin(from, to);
    ClientRequest next{is_get ? "GET" : request.method(), to.text()};
    for (const auto& [name, value] : request.fields()) {
        if (is_get && describes_content(name)) continue;
        if (leaves && is_for_one_origin(name)) continue;
        next.field(name, value);
    }
    if (!is_get && request.content()) next.content(*request.content(), {});
    return next;
}

}  // namespace weir::web::detail
