#include "site/path/reference.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "site/path/target_path.h"
#include "unit/site/request_fixture.h"

namespace weir::site {
namespace {

/// The path that a client at the path `from` gets for a reference (RFC 3986 5.2.2 to 5.2.4).
std::string resolved(std::string_view from, std::string_view reference) {
    std::string merged{reference.starts_with('/') ? "" : from.substr(0, from.rfind('/') + 1)};
    merged += reference;
    std::string out;
    for (std::string_view rest = merged; !rest.empty();) {
        const std::size_t end = std::min(rest.find('/', 1), rest.size());
        const std::string_view segment = rest.substr(0, end);
        rest.remove_prefix(end);
        const bool is_last = rest.empty();
        if (segment == "/..") out.resize(out.rfind('/') == out.npos ? 0 : out.rfind('/'));
        const bool is_dot = segment == "/." || segment == "/..";
        if (!is_dot) out += segment;
        if (is_dot && is_last) out += '/';
    }
    return out;
}

const std::vector<std::string>& paths() {
    static const std::vector<std::string> all{
        "/",      "/a",      "/a/",         "/a/b",   "/a/b/",     "/a/b/c/d", "/ab/",
        "/b/a/b", "/%20/x/", "/a:b/c",      "/a/%3F", "/%C3%BC/a", "/x/y/z/",  "/a/b/c.html",
        "//",     "//a/b/",  "/a/%2e%2e/b", "/a//b/", "/./a/b"};
    return all;
}

std::string decoded(const std::string& path) { return decoded_path(path).value(); }

/// The references of a request for `asked` that is rewritten to `path` below the prefix.
void check_all(const std::string& asked, const std::string& path, const std::string& prefix) {
    const TestRequest request{"GET " + asked};
    request.get().rewrite(prefix + path, static_cast<std::uint32_t>(prefix.size()));
    for (const std::string& target : paths()) {
        std::string reference;
        append_reference(reference, base_of(request.get(), decoded(path)), decoded(path),
                         decoded(target));
        EXPECT_EQ(decoded(resolved(asked, reference)), decoded(prefix + target))
            << asked << " as " << prefix << path << ": " << reference;
        EXPECT_FALSE(reference.starts_with("//")) << reference;
    }
}

TEST(References, OfARewrittenRequestBeginAtTheAddressOfTheClient) {
    for (const std::string& asked : paths())
        for (const std::string& path : paths())
            for (const char* const prefix : {"", "/docs", "/a/b", "/my%20docs"})
                check_all(asked, path, prefix);
}

TEST(References, OfOtherRequestsBeginAtTheirPath) {
    for (const std::string& asked : paths()) {
        const TestRequest request{"GET " + asked};
        for (const std::string& target : paths()) {
            std::string reference;
            append_reference(reference, base_of(request.get(), decoded(asked)), decoded(asked),
                             decoded(target));
            EXPECT_EQ(decoded(resolved(asked, reference)), decoded(target)) << asked << reference;
        }
    }
}

TEST(References, OfAnAbsoluteTargetAreTheSame) {
    for (const auto& [target, wanted] :
         {std::pair{"http://host/a/b?q=/", "../x/y"}, std::pair{"http://host?q=/", "./x/y"}}) {
        const TestRequest request{std::string{"GET "} + target};
        request.get().rewrite("/x/");
        std::string reference;
        append_reference(reference, base_of(request.get(), "/x/"), "/x/", "/x/y");
        EXPECT_EQ(reference, wanted) << target;
    }
}

TEST(References, BelowAMountStayBelowIt) {
    const TestRequest request{"GET /mount/a/b"};
    request.get().mount(6);
    request.get().rewrite("/mount/x/", 6);
    std::string reference;
    append_reference(reference, base_of(request.get(), "/x/"), "/x/", "/x/y");
    EXPECT_EQ(reference, "../x/y");
}

}  // namespace
}  // namespace weir::site
