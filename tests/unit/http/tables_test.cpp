// The small tables: methods, statuses, field names, and the answers to faults.

#include <gtest/gtest.h>

#include <string>

#include "http/syntax/fault.h"
#include "weir/http/field_name.h"
#include "weir/http/method.h"
#include "weir/http/status.h"

namespace weir::http {
namespace {

TEST(Method, IsKnownByItsExactText) {
    EXPECT_EQ(method_from("GET"), Method::get);
    EXPECT_EQ(method_from("HEAD"), Method::head);
    EXPECT_EQ(method_from("POST"), Method::post);
    EXPECT_EQ(method_from("PUT"), Method::put);
    EXPECT_EQ(method_from("DELETE"), Method::delete_);
    EXPECT_EQ(method_from("CONNECT"), Method::connect);
    EXPECT_EQ(method_from("OPTIONS"), Method::options);
    EXPECT_EQ(method_from("TRACE"), Method::trace);
    EXPECT_EQ(method_from("PATCH"), Method::patch);
    for (const char* text : {"", "get", "Get", "GETS", "GE", "PROPFIND", "DELETE ", "PUTS", "XXXX"})
        EXPECT_EQ(method_from(text), Method::unknown) << text;
}

TEST(Status, HasTheRegistrysReason) {
    EXPECT_EQ(reason(Status::ok), "OK");
    EXPECT_EQ(reason(Status::continue_), "Continue");
    EXPECT_EQ(reason(Status::content_too_large), "Content Too Large");
    EXPECT_EQ(reason(Status::http_version_not_supported), "HTTP Version Not Supported");
    EXPECT_EQ(reason(static_cast<Status>(511)), "Network Authentication Required");
    for (const int code : {0, 99, 199, 299, 418, 599, 999})
        EXPECT_EQ(reason(static_cast<Status>(code)), "Unknown") << code;
}

TEST(FieldName, IsFoundInEitherCase) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(FieldName::other); ++i) {
        const auto id = static_cast<FieldName>(i);
        std::string text{to_text(id)};
        ASSERT_FALSE(text.empty());
        EXPECT_EQ(field_name_from(text), id) << text;
        for (char& byte : text)
            if (byte >= 'a' && byte <= 'z') byte = static_cast<char>(byte - 0x20);
        EXPECT_EQ(field_name_from(text), id) << text;
    }
}

TEST(FieldName, IsOtherWhenAnyByteDiffers) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(FieldName::other); ++i) {
        const std::string name{to_text(static_cast<FieldName>(i))};
        for (std::size_t at = 0; at < name.size(); ++at)
            for (int byte = 0; byte < 256; ++byte) {
                std::string text = name;
                text[at] = static_cast<char>(byte);
                const bool same = equals_ignoring_case(text, name);
                ASSERT_EQ(field_name_from(text) == static_cast<FieldName>(i), same) << text;
            }
        EXPECT_EQ(field_name_from(name + "s"), FieldName::other);
        EXPECT_EQ(field_name_from(name.substr(1)), FieldName::other);
    }
    EXPECT_EQ(field_name_from(""), FieldName::other);
    EXPECT_EQ(field_name_from(std::string(70'000, 'a')), FieldName::other);
    EXPECT_EQ(to_text(FieldName::other), "");
}

TEST(EqualsIgnoringCase, FoldsAsciiLettersOnly) {
    EXPECT_TRUE(equals_ignoring_case("", ""));
    EXPECT_TRUE(equals_ignoring_case("Keep-Alive", "kEEP-aLIVE"));
    EXPECT_FALSE(equals_ignoring_case("close", "closed"));
    EXPECT_FALSE(equals_ignoring_case("a\rb", "a-b"));
    EXPECT_FALSE(equals_ignoring_case("[", "{"));
    EXPECT_FALSE(equals_ignoring_case("@", "`"));
    EXPECT_FALSE(equals_ignoring_case("\xc4", "\xe4"));
}

TEST(FaultAnswer, EveryFaultHasAnErrorStatusAndAText) {
    for (std::size_t i = 1; i <= static_cast<std::size_t>(Fault::handler_too_slow); ++i) {
        const FaultAnswer& answer = answer_to(static_cast<Fault>(i));
        EXPECT_EQ(answer.fault, static_cast<Fault>(i));
        EXPECT_GE(code(answer.status), 400u);
        EXPECT_FALSE(answer.text.empty());
        EXPECT_NE(answer.text.back(), '.');
        EXPECT_NE(reason(answer.status), "Unknown");
    }
}

TEST(FaultAnswer, LimitsAndVersionsHaveTheirOwnStatus) {
    EXPECT_EQ(answer_to(Fault::request_line_too_long).status, Status::uri_too_long);
    EXPECT_EQ(answer_to(Fault::head_too_long).status, Status::request_header_fields_too_large);
    EXPECT_EQ(answer_to(Fault::content_too_long).status, Status::content_too_large);
    EXPECT_EQ(answer_to(Fault::unsupported_version).status, Status::http_version_not_supported);
    EXPECT_EQ(answer_to(Fault::unknown_transfer_coding).status, Status::not_implemented);
    EXPECT_EQ(answer_to(Fault::unknown_expectation).status, Status::expectation_failed);
    EXPECT_EQ(answer_to(Fault::head_too_slow).status, Status::request_timeout);
    EXPECT_EQ(answer_to(Fault::missing_host).section, "RFC 9112 3.2");
}

}  // namespace
}  // namespace weir::http
