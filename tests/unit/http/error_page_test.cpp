#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/http/response.h"

namespace weir::http {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page(Status status, std::string_view detail = {}) {
    const Response response = error_response(status, detail);
    EXPECT_EQ(response.status(), status);
    EXPECT_THAT(std::string{response.own_fields()},
                HasSubstr("Content-Type: text/html; charset=utf-8\r\n"));
    return std::get<std::string>(response.content());
}

TEST(ErrorPage, NamesTheStatusAndExplainsIt) {
    const std::string missing = page(Status::not_found);
    EXPECT_THAT(missing, HasSubstr("<title>404 Not Found</title>"));
    EXPECT_THAT(missing, HasSubstr("<h1>404 Not Found</h1>\n<p>There is nothing at this address."));
    EXPECT_THAT(page(Status::internal_server_error), HasSubstr("<p>The server failed to answer"));
}

TEST(ErrorPage, SaysADetailInstead) {
    const std::string refused = page(Status::bad_request, "The <b> & \"quotes\" aren't right");
    EXPECT_THAT(refused,
                HasSubstr("<p>The &lt;b&gt; &amp; &quot;quotes&quot; aren&#39;t right.</p>"));
    EXPECT_THAT(refused, Not(HasSubstr("cannot understand")));
}

TEST(ErrorPage, SaysNothingOfAStatusThatExplainsItself) {
    EXPECT_THAT(page(Status::length_required), Not(HasSubstr("<p>")));
}

TEST(ErrorPage, HasALanguageALandmarkAndColoursForLightAndDark) {
    const std::string missing = page(Status::not_found);
    for (const char* const part : {"<html lang=\"en\">", "<main>", "</main>", "width=device-width",
                                   "prefers-color-scheme:dark"})
        EXPECT_THAT(missing, HasSubstr(part));
}

}  // namespace
}  // namespace weir::http
