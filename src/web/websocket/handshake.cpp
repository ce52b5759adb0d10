#include "web/websocket/handshake.h"

#include <algorithm>

#include "base/bytes/base64.h"
#include "base/trimmed.h"
#include "http/syntax/field_list.h"
#include "http/syntax/origin.h"
#include "web/calling/errors.h"
#include "web/websocket/sha1.h"
#include "weir/http/tunnel.h"

namespace weir::web::ws {
namespace {

using http::equals_ignoring_case;
using http::FieldName;
using http::Request;

constexpr std::string_view version = "13";
constexpr std::size_t key_bytes = 16;

/// The number of lines of a field.
std::size_t count(const Request& request, std::string_view name) {
    return static_cast<std::size_t>(
        std::ranges::count_if(request.fields(), [&](const http::FieldLine& line) {
            return equals_ignoring_case(request.name_of(line), name);
        }));
}

bool is_key(std::string_view text) {
    const auto key = base64_decoded(text);
    return key && key->size() == key_bytes;
}

/// RFC 6455 10.2. A page's script can't send another origin than its own.
bool may_connect(const Request& request, const WebSocketOptions& options) {
    const auto origin = request.field(FieldName::origin);
    if (!origin || http::is_origin_of(request, *origin)) return true;
    return std::ranges::any_of(options.origins, [&](const std::string& allowed) {
        return allowed == "*" || equals_ignoring_case(allowed, *origin);
    });
}

/// RFC 9110 15.5.22: a 426 says what to change to; RFC 6455 4.4: in which version.
Response upgrade_required(const Call& call, std::string_view sentence) {
    Response response = detail::refusal_answer(call, Status::upgrade_required, sentence);
    response.offer_upgrade("websocket");
    response.add("Sec-WebSocket-Version", version);
    return response;
}

}  // namespace

std::optional<Response> refusal_of(const Call& call, const WebSocketOptions& options) {
    const Request& request = call.request();
    if (!http::can_upgrade(request, "websocket"))
        return upgrade_required(call, "This address speaks WebSocket, and nothing else");
    if (count(request, "Sec-WebSocket-Version") != 1 ||
        request.field("Sec-WebSocket-Version") != version)
        return upgrade_required(call, "This server speaks version 13 of WebSocket alone");
    const bool has_key = count(request, "Sec-WebSocket-Key") == 1 &&
                         is_key(request.field("Sec-WebSocket-Key").value_or(""));
    if (request.major_version() == 1 && !has_key)
        return detail::refusal_answer(call, Status::bad_request,
                                      "Sec-WebSocket-Key must be 16 bytes in base64, once");
    if (!may_connect(request, options))
        return detail::refusal_answer(call, Status::forbidden,
                                      "Pages of this origin may not connect to this WebSocket");
    return std::nullopt;
}

std::uint32_t chosen_protocol(const Request& request, const WebSocketOptions& options) {
    std::uint32_t place = 0;
    for (const std::string& known : options.protocols) {
        ++place;
        for (const http::FieldLine& line : request.fields()) {
            if (!equals_ignoring_case(request.name_of(line), "Sec-WebSocket-Protocol")) continue;
            bool is_offered = false;
            http::for_each_member(request.value_of(line), [&](std::string_view offered) {
                is_offered = is_offered || offered == known;
            });
            if (is_offered) return place;
        }
    }
    return 0;
}

std::string accept_of(std::string_view key) {
    std::string text{key};
    return base64_encoded(sha1(text += "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
}

}  // namespace weir::web::ws
