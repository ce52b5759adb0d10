// The path of a request as the routes of a proxy compare it.

#include "proxy/route_path.h"

#include <gtest/gtest.h>

namespace weir::proxy {
namespace {

TEST(RoutePath, IsBelowARouteHoweverItIsWritten) {
    for (const char* const path : {"/api", "/api/", "/api/x", "//api/x", "/%61pi/x", "/api//x",
                                   "/./api/x", "/files/../api/x", "/%2e/ap%69", "/api/a%2fb"})
        EXPECT_TRUE(RoutePath{path}.is_below("/api")) << path;
    for (const char* const path :
         {"/", "/apis", "/API", "/api%2fx", "/%2fapi/x", "/api/../x", "/x//api", "/%2561pi/x", "*"})
        EXPECT_FALSE(RoutePath{path}.is_below("/api")) << path;
    EXPECT_TRUE(RoutePath{"/../a"}.is_below("/"));
    EXPECT_FALSE(RoutePath{"*"}.is_below("/"));
}

TEST(RoutePath, SaysWhatServersCouldReadInAnotherWay) {
    for (const char* const path : {"/./a", "/a/../b", "/a/%2e%2e/b", "/a%2f..%2fb", "/a/..;x/b",
                                   "/a/.%3b/b", "/a\\b", "/a%5Cb", "/a%", "/a%zz", "/a%00", "/.."})
        EXPECT_TRUE(RoutePath{path}.is_ambiguous()) << path;
    for (const char* const path :
         {"/", "/a", "//a", "/%61", "/a%2fb", "/a;x=..", "/.well-known/a", "/a..;b", "/a%20b"})
        EXPECT_FALSE(RoutePath{path}.is_ambiguous()) << path;
}

TEST(DotSegments, AreSeenHoweverTheyAreWritten) {
    for (const char* const path : {"/..", "/a/../b", "/a/..", "/./a", "/a/.", "/%2e%2e/a",
                                   "/.%2E/a", "/a%2f..%2fb", "/a\\..\\b", "/a%5c..", "/%2e"})
        EXPECT_TRUE(has_dot_segments(path)) << path;
    for (const char* const path : {"/", "/a", "/...", "/a..b", "/..a", "/.well-known/a", "/a./b",
                                   "/a%2eb", "//", "/%2e%2ea"})
        EXPECT_FALSE(has_dot_segments(path)) << path;
}

}  // namespace
}  // namespace weir::proxy
