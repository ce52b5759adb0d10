#pragma once

#include <cstdint>
#include <string_view>

#include "weir/base/requires_cxx23.h"

namespace weir::http {

/// The methods of RFC 9110 9.3 and RFC 5789. Every other method is `unknown`;
/// Request::method_text() has its text.
enum class Method : std::uint8_t {
    get,
    head,
    post,
    put,
    delete_,
    connect,
    options,
    trace,
    patch,
    unknown,
};

/// Methods are case-sensitive (RFC 9110 9.1).
constexpr Method method_from(std::string_view text) noexcept {
    switch (text.size()) {
        case 3:
            if (text == "GET") return Method::get;
            if (text == "PUT") return Method::put;
            break;
        case 4:
            if (text == "HEAD") return Method::head;
            if (text == "POST") return Method::post;
            break;
        case 5:
            if (text == "PATCH") return Method::patch;
            if (text == "TRACE") return Method::trace;
            break;
        case 6:
            if (text == "DELETE") return Method::delete_;
            break;
        case 7:
            if (text == "OPTIONS") return Method::options;
            if (text == "CONNECT") return Method::connect;
            break;
        default: break;
    }
    return Method::unknown;
}

}  // namespace weir::http
