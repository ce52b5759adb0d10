#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/requires_cxx23.h"

namespace weir::web {

/// A request to another server.
///
///     web::ClientRequest{"PUT", url}.field("If-None-Match", "*").content(text, "text/plain")
class ClientRequest {
   public:
    /// `url`: "http://host[:port][/path][?query]", or the same with https; a fragment does not
    /// count. Bytes of the path and the query that are not ASCII, and spaces, are encoded. Throws
    /// std::invalid_argument if the method is no token, or CONNECT.
    ClientRequest(std::string method, std::string url);

    /// Adds a field line. Of a field that a request has once, such as Host or Authorization, it
    /// replaces the line before (RFC 9110 5.3). Throws std::invalid_argument if the name is no
    /// token, if the value has a control character, or if the client sets that field itself:
    /// Connection, Content-Length, Expect, Keep-Alive, Proxy-Connection, TE, Trailer,
    /// Transfer-Encoding and Upgrade.
    ClientRequest& field(std::string_view name, std::string_view value) &;
    ClientRequest&& field(std::string_view name, std::string_view value) && {
        return std::move(field(name, value));
    }
    /// The content. An empty media type adds no Content-Type.
    ClientRequest& content(std::string bytes, std::string_view media_type) &;
    ClientRequest&& content(std::string bytes, std::string_view media_type) && {
        return std::move(content(std::move(bytes), media_type));
    }

    using Fields = std::vector<std::pair<std::string, std::string>>;

    const std::string& method() const noexcept { return method_; }
    const std::string& url() const noexcept { return url_; }
    const Fields& fields() const noexcept { return fields_; }
    /// Nothing: the request has no content.
    const std::optional<std::string>& content() const noexcept { return content_; }

   private:
    std::string method_;
    std::string url_;
    Fields fields_{};
    std::optional<std::string> content_{};
};

}  // namespace weir::web
