#include "http/client/response_head.h"

#include "http/head/framing.h"

namespace weir::http::client {

HeadParser::Result ResponseHead::parse(std::string_view bytes, const Limits& limits) {
    if (fault_ != Fault::none) return HeadParser::Result::fault;
    if (line_.size == 0) {
        switch (StatusLine::read(bytes, limits.request_line_bytes_max, line_)) {
            case StatusLine::Result::more: return HeadParser::Result::more;
            case StatusLine::Result::malformed: return refuse(Fault::malformed_request_line);
            case StatusLine::Result::unsupported_version: return refuse(Fault::unsupported_version);
            case StatusLine::Result::too_long: return refuse(Fault::request_line_too_long);
            case StatusLine::Result::complete: break;
        }
        index_.minor_version = line_.minor_version;
        fields_.begin_fields(line_.size);
    }
    const auto result = fields_.parse(bytes, index_, limits);
    if (result == HeadParser::Result::fault) fault_ = fields_.fault();
    return result;
}

void ResponseHead::reset() noexcept {
    line_ = {};
    fields_.reset();
    index_.clear();
    fault_ = Fault::none;
}

HeadParser::Result ResponseHead::refuse(Fault fault) noexcept {
    fault_ = fault;
    return HeadParser::Result::fault;
}

/// The cases of RFC 9112 6.3, in its order.
ResponseFraming ResponseHead::framing(const char* head, Method method) const noexcept {
    using enum ResponseFraming::Content;
    ResponseFraming out;
    out.keep_alive = keeps_alive(head, index_);
    const bool is_tunnel = method == Method::connect && line_.code >= 200 && line_.code < 300;
    if (is_tunnel || line_.code == 101) {
        out.content = tunnel;
        return out;
    }
    if (method == Method::head || line_.code < 200 || line_.code == 204 || line_.code == 304)
        return out;
    const Framing of_fields = content_framing_of(head, index_);
    out.fault = of_fields.fault;
    if (of_fields.content == Framing::Content::chunked) {
        out.content = chunked;
    } else if (of_fields.content == Framing::Content::sized) {
        out.content = sized;
        out.content_length = of_fields.content_length;
    } else if (!index_.has(FieldName::content_length)) {
        out.content = until_close;
        out.keep_alive = false;
    }
    return out;
}

}  // namespace weir::http::client
