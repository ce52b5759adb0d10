#pragma once

#include <cstdint>
#include <string_view>

namespace weir::http {

/// The methods of RFC 9110 9.3 and RFC 5789; everything else is `unknown`, and its text is still
/// there in Request::method_text().
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

/// Case-sensitive, as RFC 9110 9.1 says.
Method method_from(std::string_view text) noexcept;

}  // namespace weir::http
