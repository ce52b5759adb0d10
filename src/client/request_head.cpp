#include "client/request_head.h"

#include <algorithm>
#include <string>

#include "http/syntax/field_lines.h"
#include "weir/http/field_name.h"
#include "weir/http/method.h"

namespace weir::web::detail {
namespace {

using http::append_line;
using http::client::Outgoing;

bool has_field(const ClientRequest& request, std::string_view name) noexcept {
    return std::ranges::any_of(request.fields(), [name](const auto& field) {
        return http::equals_ignoring_case(field.first, name);
    });
}

/// The request line and the field lines, without those of the framing.
Outgoing begin_request(const ClientRequest& request, const Url& url, std::string_view user_agent) {
    Outgoing out{.head = {}, .method = http::method_from(request.method())};
    out.head.append(request.method()).append(" ").append(url.target).append(" HTTP/1.1\r\n");
    if (!has_field(request, "Host")) append_line(out.head, "Host", url.authority);
    if (!user_agent.empty() && !has_field(request, "User-Agent"))
        append_line(out.head, "User-Agent", user_agent);
    for (const auto& [name, value] : request.fields()) append_line(out.head, name, value);
    return out;
}

}  // namespace

Outgoing whole_request(const ClientRequest& request, const Url& url, std::string_view user_agent) {
    Outgoing out = begin_request(request, url, user_agent);
    const auto& content = request.content();
    if (content || http::client::anticipates_content(out.method))
        append_line(out.head, "Content-Length", std::to_string(content ? content->size() : 0));
    out.head += "\r\n";
    if (content) out.head += *content;  // one buffer, one send
    return out;
}

Outgoing streamed_request(const ClientRequest& request, const Url& url, std::string_view user_agent,
                          std::optional<std::uint64_t> size) {
    Outgoing out = begin_request(request, url, user_agent);
    if (size) {
        out.content = Outgoing::Content::sized;
        append_line(out.head, "Content-Length", std::to_string(*size));
    } else {
        out.content = Outgoing::Content::chunked;
        append_line(out.head, "Transfer-Encoding", "chunked");
    }
    out.head += "\r\n";
    return out;
}

}  // namespace weir::web::detail
