// Whom a request is for, if a proxy asks.

#include "weir/access/proxies.h"

#include <gtest/gtest.h>

#include <string>

#include "access/proxies/hops.h"
#include "access/request/network.h"
#include "http/client_origin.h"
#include "weir/web/probe.h"

namespace weir::access {
namespace {

/// Answers with the client's address.
class Addresses final : public http::Handler {
   public:
    http::Reply handle(const http::Request& request) override {
        std::string text;
        request.origin().append_address(text);
        if (http::is_secure(request.origin())) text += " by https";
        http::Response response;
        response.content(std::move(text));
        return response;
    }
};

/// The answer to a proxy at 192.0.2.7, where it and 10.0.0.0/8 are trusted.
std::string asks(std::initializer_list<std::string> values,
                 ForwardedField field = ForwardedField::x_forwarded_for,
                 std::string_view trusted = "192.0.2.7") {
    Addresses site;
    const auto trust = trust_proxies(site, {std::string{trusted}, "10.0.0.0/8"}, field);
    web::Probe probe{**trust};
    const char* const name = field == ForwardedField::forwarded ? "Forwarded" : "X-Forwarded-For";
    web::Probe::Fields fields;
    for (const std::string& value : values) fields.emplace_back(name, value);
    const auto answer = probe.get("/", fields);
    return answer.status == 200u ? answer.content : std::to_string(answer.status);
}

TEST(TrustedProxies, TheLastElementThatIsNoProxyIsTheClient) {
    EXPECT_EQ(asks({"198.51.100.9"}), "198.51.100.9");
    EXPECT_EQ(asks({"203.0.113.1, 198.51.100.9"}), "198.51.100.9");
    EXPECT_EQ(asks({"203.0.113.1, 198.51.100.9, 10.1.2.3 ,10.0.0.1"}), "198.51.100.9");
    EXPECT_EQ(asks({"nonsense, 198.51.100.9"}), "198.51.100.9") << "what the client wrote itself";
    EXPECT_EQ(asks({"2001:db8::9"}), "2001:db8::9");
}

TEST(TrustedProxies, ALineContinuesTheOneBefore) {
    EXPECT_EQ(asks({"203.0.113.1", "198.51.100.9"}), "198.51.100.9");
    EXPECT_EQ(asks({"198.51.100.9", "10.0.0.1", ""}), "198.51.100.9");
}

TEST(TrustedProxies, OfProxiesAloneTheFirstIsTheClient) {
    EXPECT_EQ(asks({"10.0.0.2, 10.0.0.1"}), "10.0.0.2");
    EXPECT_EQ(asks({}), "192.0.2.7");
    EXPECT_EQ(asks({" , "}), "192.0.2.7");
}

TEST(TrustedProxies, AHiddenClientIsUnknown) {
    EXPECT_EQ(asks({"198.51.100.9, unknown"}), "unknown");
    EXPECT_EQ(asks({"for=_a"}, ForwardedField::forwarded), "unknown");
    EXPECT_EQ(Client::parse("unknown").kind, Client::Kind::unknown);
    EXPECT_FALSE(Network::parse("unix")->contains(Client::parse("unknown")));
}

TEST(TrustedProxies, WhatCannotBeReadIsRefused) {
    EXPECT_EQ(asks({"198.51.100.9, nonsense"}), "400");
    EXPECT_EQ(asks({"nonsense, 10.0.0.1"}), "400");
    EXPECT_EQ(asks({"fe80::1%eth0"}), "400");
    EXPECT_EQ(asks({"for=\"x, for=198.51.100.9"}, ForwardedField::forwarded), "400");
}

TEST(TrustedProxies, NobodyElseIsBelieved) {
    EXPECT_EQ(asks({"198.51.100.9"}, ForwardedField::x_forwarded_for, "192.0.2.8"), "192.0.2.7");
    EXPECT_EQ(asks({"nonsense"}, ForwardedField::x_forwarded_for, "192.0.2.8"), "192.0.2.7");
}

TEST(TrustedProxies, AFieldOfAnyLengthHasALimit) {
    std::string chain = "198.51.100.9";
    for (std::size_t hop = 0; hop + 1 < Hops::max; ++hop) chain += ", 10.0.0.1";
    EXPECT_EQ(asks({chain}), "198.51.100.9");
    EXPECT_EQ(asks({chain + ", 10.0.0.1"}), "10.0.0.1");
}

TEST(TrustedProxies, NameTheSchemeOfTheClient) {
    Addresses site;
    const auto trust = trust_proxies(site, {"192.0.2.7"}, ForwardedField::x_forwarded_for);
    web::Probe probe{**trust};
    const std::pair<std::string, std::string> client{"X-Forwarded-For", "198.51.100.9"};
    const auto proto = [](const char* value) {
        return std::pair<std::string, std::string>{"X-Forwarded-Proto", value};
    };
    EXPECT_EQ(probe.get("/", {client, proto("HTTPS")}).content, "198.51.100.9 by https");
    EXPECT_EQ(probe.get("/", {proto("https")}).content, "192.0.2.7 by https");
    EXPECT_EQ(probe.get("/", {client, proto("http")}).content, "198.51.100.9");
    EXPECT_EQ(probe.get("/", {client, proto("https, https")}).content, "198.51.100.9");
    EXPECT_EQ(probe.get("/", {client, proto("https"), proto("https")}).content, "198.51.100.9");
    const auto nobody = trust_proxies(site, {"10.0.0.0/8"}, ForwardedField::x_forwarded_for);
    EXPECT_EQ(web::Probe{**nobody}.get("/", {proto("https")}).content, "192.0.2.7");
}

TEST(TrustedProxies, ForwardedNamesTheSchemeOfItsOwnElement) {
    const auto asked = [](std::initializer_list<std::string> values) {
        return asks(values, ForwardedField::forwarded);
    };
    EXPECT_EQ(asked({"for=198.51.100.9;proto=https"}), "198.51.100.9 by https");
    EXPECT_EQ(asked({"proto=\"HTTPS\";for=198.51.100.9, for=10.0.0.1;proto=http"}),
              "198.51.100.9 by https");
    EXPECT_EQ(asked({"for=203.0.113.1;proto=https, for=198.51.100.9"}), "198.51.100.9");
}

TEST(TrustedProxies, TheNextRequestOfAConnectionHasItsOwnClient) {
    Addresses site;
    const auto trust = trust_proxies(site, {"192.0.2.7"}, ForwardedField::x_forwarded_for);
    web::Probe probe{**trust};
    EXPECT_EQ(probe.get("/", {{"X-Forwarded-For", "198.51.100.9"}}).content, "198.51.100.9");
    EXPECT_EQ(probe.get("/").content, "192.0.2.7");
}

}  // namespace
}  // namespace weir::access
