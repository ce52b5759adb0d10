#include "weir/client/client_request.h"

#include <array>
#include <stdexcept>

#include "http/syntax/name_list.h"
#include "http/syntax/token.h"
#include "weir/http/field_name.h"

namespace weir::web {
namespace {

bool is_own(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 9> own = {"Connection", "Content-Length",    "Expect",
                                                     "Keep-Alive", "Proxy-Connection",  "TE",
                                                     "Trailer",    "Transfer-Encoding", "Upgrade"};
    return http::is_one_of(name, own);
}

/// Fields that a request has once (RFC 9110 5.3), and of which a list is not the value.
bool is_singleton(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 13> singletons = {
        "Authorization",     "Content-Location", "Content-Range",       "Content-Type", "Host",
        "If-Modified-Since", "If-Range",         "If-Unmodified-Since", "Origin",       "Range",
        "Referer",           "User-Agent",       "Max-Forwards"};
    return http::is_one_of(name, singletons);
}

}  // namespace

ClientRequest::ClientRequest(std::string method, std::string url)
    : method_{std::move(method)}, url_{std::move(url)} {
    if (!http::is_token(method_)) throw std::invalid_argument{"a method must be a token"};
    if (method_ == "CONNECT") throw std::invalid_argument{"a client sends no CONNECT"};
}

ClientRequest& ClientRequest::field(std::string_view name, std::string_view value) & {
    if (!http::is_token(name)) throw std::invalid_argument{"a field name must be a token"};
    if (!http::is_field_value(value))
        throw std::invalid_argument{"a field value has a control character"};
    if (is_own(name)) throw std::invalid_argument{"this field is set by the client itself"};
    if (is_singleton(name))
        std::erase_if(fields_, [name](const auto& each) {
            return http::equals_ignoring_case(each.first, name);
        });
    fields_.emplace_back(name, value);
    return *this;
}

ClientRequest& ClientRequest::content(std::string bytes, std::string_view media_type) & {
    if (!media_type.empty()) field("Content-Type", media_type);
    content_ = std::move(bytes);
    return *this;
}

}  // namespace weir::web
