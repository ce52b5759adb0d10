#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::tests {

/// The value that SignedCookies or EncryptedCookies read from a request with this Cookie field.
template <typename Cookies>
std::optional<std::string> read_cookie(const Cookies& cookies, const std::string& field,
                                       std::string_view name = "user") {
    std::optional<std::string> found;
    web::Router router;
    router.get("/", [&](const web::Call& call) {
        found = cookies.value(call, name);
        return web::Response{};
    });
    web::Probe probe{router};
    EXPECT_EQ(probe.get("/", {{"Cookie", field}}).status, 200u);
    return found;
}

}  // namespace weir::tests
