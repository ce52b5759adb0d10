#include "weir/http/response.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace weir::http {
namespace {

std::string fields_of(const Response& response) {
    return std::string{response.prepared_fields()}.append(response.own_fields());
}

TEST(Fields, ThatMayComeOnceAreSet) {
    Response response;
    response.add("Content-Type", "text/plain").add("X", "1").add("content-type", "text/css");
    EXPECT_EQ(fields_of(response), "X: 1\r\ncontent-type: text/css\r\n");
    for (const char* const name :
         {"Age", "Content-Disposition", "Content-Location", "Content-Range", "ETag", "Expires",
          "Last-Modified", "LOCATION", "Retry-After", "Server", "Strict-Transport-Security",
          "Access-Control-Allow-Origin", "Access-Control-Max-Age", "X-Frame-Options"}) {
        Response again;
        again.add(name, "first").add("X", "1").add(name, "second");
        EXPECT_EQ(fields_of(again), "X: 1\r\n" + std::string{name} + ": second\r\n");
    }
}

TEST(Fields, ThatAreListsAreAdded) {
    for (const char* const name :
         {"Vary", "Cache-Control", "Set-Cookie", "Link", "WWW-Authenticate", "Allow", "Via",
          "Content-Security-Policy", "Content-Language", "X-Unknown", "Content-Typ", "ETags"}) {
        Response response;
        response.add(name, "1").add(name, "2");
        const std::string line = std::string{name} + ": ";
        EXPECT_EQ(fields_of(response), line + "1\r\n" + line + "2\r\n");
    }
}

TEST(Fields, ThatAreSetReplacePreparedOnes) {
    const std::string prepared = "ETag: \"1\"\r\nContent-Type: a/b\r\nX: 1\r\n";
    Response response;
    response.prepared_fields(prepared).add("Content-Type", "c/d").add("X", "2");
    EXPECT_EQ(fields_of(response), "ETag: \"1\"\r\nX: 1\r\nContent-Type: c/d\r\nX: 2\r\n");
    Response other;
    other.add("Content-Type", "c/d").add("X", "2").prepared_fields(prepared);
    EXPECT_EQ(fields_of(other), prepared + "X: 2\r\n");
    Response third;
    third.prepared_fields(prepared).add("Location", "/");
    EXPECT_EQ(third.prepared_fields(), prepared) << "nothing is copied without need";
}

TEST(Fields, ThatWerePreparedEarlierStay) {
    Response response;
    response.prepared_fields("Content-Type: a/b\r\nLink: <1>\r\n").add("X", "1");
    response.prepared_fields("Link: <2>\r\nContent-Type: c/d\r\n");
    EXPECT_EQ(fields_of(response), "Link: <2>\r\nContent-Type: c/d\r\nLink: <1>\r\nX: 1\r\n");
}

const std::string prepared_vary = "Vary: Accept\r\nX: 1\r\n";

TEST(Fields, AreFound) {
    Response response;
    response.prepared_fields(prepared_vary).add("x", "2").add("Y", "");
    EXPECT_EQ(response.get("vary"), "Accept");
    EXPECT_EQ(response.get("X"), "1") << "the first one";
    EXPECT_EQ(response.get("Y"), "");
    EXPECT_EQ(response.get("Var"), std::nullopt);
}

TEST(Fields, AreReplacedAndRemoved) {
    Response response;
    response.prepared_fields(prepared_vary).add("X", "2").add("Set-Cookie", "a");
    response.set("x", "3");
    EXPECT_EQ(fields_of(response), "Vary: Accept\r\nSet-Cookie: a\r\nx: 3\r\n");
    response.set("New", "1").remove("SET-COOKIE").remove("None");
    EXPECT_EQ(fields_of(response), "Vary: Accept\r\nx: 3\r\nNew: 1\r\n");
    EXPECT_THROW(response.set("New", "a\nb"), std::invalid_argument);
    EXPECT_THROW(response.set("Connection", "x"), std::invalid_argument);
    EXPECT_EQ(response.get("New"), "1");
    Response upgrade;
    upgrade.offer_upgrade("x").remove("Connection");
    EXPECT_EQ(fields_of(upgrade), "Upgrade: x\r\nConnection: Upgrade\r\n");
}

TEST(Fields, ThatAreListsGrow) {
    Response response;
    response.append("Vary", "Origin");
    EXPECT_EQ(fields_of(response), "Vary: Origin\r\n");
    response.add("X", "1").append("vary", "Accept");
    EXPECT_EQ(fields_of(response), "Vary: Origin, Accept\r\nX: 1\r\n");
    response.add("Vary", "").append("Vary", "Cookie").append("Vary", "X");
    EXPECT_EQ(fields_of(response), "Vary: Origin, Accept\r\nX: 1\r\nVary: Cookie, X\r\n");
    Response prepared;
    prepared.prepared_fields(prepared_vary).append("Vary", "Origin");
    EXPECT_EQ(fields_of(prepared), "Vary: Accept, Origin\r\nX: 1\r\n");
    EXPECT_THROW(prepared.append("Vary", "a\nb"), std::invalid_argument);
}

TEST(Fields, MayBeThatOfAnotherLine) {
    Response response;
    response.add("A", std::string(50, 'a'));
    response.add("B", *response.get("A"))
        .set("A", *response.get("A"))
        .append("B", *response.get("A"));
    EXPECT_EQ(response.get("A"), std::string(50, 'a'));
    EXPECT_EQ(response.get("B"), std::string(50, 'a') + ", " + std::string(50, 'a'));
}

TEST(Fields, StayIfTheNewOneCannotBe) {
    Response response;
    response.add("Content-Type", "a/b");
    EXPECT_THROW(response.add("Content-Type", "a\nb"), std::invalid_argument);
    EXPECT_EQ(fields_of(response), "Content-Type: a/b\r\n");
}

TEST(AnswerStatus, IsFinalAndHasThreeDigits) {
    for (const unsigned code : {0U, 1U, 42U, 99U, 100U, 101U, 103U, 199U, 1000U, 65'535U}) {
        const auto status = static_cast<Status>(code);
        EXPECT_THROW(Response{status}, std::invalid_argument) << code;
        Response response;
        EXPECT_THROW(response.status(status), std::invalid_argument) << code;
        EXPECT_THROW(static_cast<void>(error_response(status)), std::invalid_argument) << code;
    }
    for (const unsigned code : {200U, 204U, 299U, 418U, 599U, 999U})
        EXPECT_EQ(http::code(Response{static_cast<Status>(code)}.status()), code);
}

}  // namespace
}  // namespace weir::http
