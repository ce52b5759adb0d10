#include "dav/methods/responses.h"

#include <utility>

#include "dav/request/fault.h"
#include "dav/xml/escaped.h"

namespace weir::dav {

std::string document(std::string_view root, std::string_view inside) {
    std::string text{"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:"};
    text.append(root).append(" xmlns:D=\"DAV:\">").append(inside);
    return std::move(text.append("</D:").append(root).append(">\n"));
}

http::Response xml_response(http::Status status, std::string document) {
    http::Response response{status};
    response.add("Content-Type", "application/xml; charset=utf-8");
    response.content(std::move(document));
    return response;
}

void append_status(std::string& out, http::Status status) {
    out.append("<D:status>HTTP/1.1 ").append(std::to_string(http::code(status))).append(" ");
    out.append(http::reason(status)).append("</D:status>");
}

void append_name(std::string& out, const Name& name) {
    if (name.space == dav_space) {
        out.append("<D:").append(name.local).append("/>");
    } else if (name.space.empty()) {
        out.append("<").append(name.local).append("/>");
    } else {
        out.append("<X:").append(name.local).append(" xmlns:X=\"");
        append_escaped(out, name.space);
        out += "\"/>";
    }
}

http::Response failed(const Asked& asked, const std::vector<Failure>& failures) {
    std::string inside;
    for (const Failure& each : failures) {
        inside += "<D:response>";
        append_href(inside, asked.href(each.path, each.is_folder));
        append_status(inside, each.status);
        if (!each.condition.empty())
            inside.append("<D:error>").append(each.condition).append("</D:error>");
        inside += "</D:response>\n";
    }
    return xml_response(multi_status, document("multistatus", inside));
}

http::Response error(http::Status status, std::string_view condition) {
    return xml_response(status, document("error", condition));
}

std::string missing_token(const Asked& asked, std::string_view root, bool is_folder) {
    std::string condition{"<D:lock-token-submitted>"};
    append_href(condition, asked.href(root, is_folder));
    return condition + "</D:lock-token-submitted>";
}

}  // namespace weir::dav
