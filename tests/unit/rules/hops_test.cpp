// What the elements of X-Forwarded-For and Forwarded say.

#include "rules/trust/hops.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::rules {
namespace {

using Kind = Hop::Kind;

struct Element {
    std::string text;
    Kind kind;
    std::string address{};
};

class XForwardedFor : public testing::TestWithParam<Element> {};

TEST_P(XForwardedFor, SaysTheAddress) {
    const Hop hop = read_x_forwarded_for(GetParam().text);
    EXPECT_EQ(hop.kind, GetParam().kind) << GetParam().text;
    EXPECT_EQ(hop.address, GetParam().address) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Hops, XForwardedFor,
    testing::Values(Element{"192.0.2.7", Kind::address, "192.0.2.7"},
                    Element{"192.0.2.7:8080", Kind::address, "192.0.2.7"},
                    Element{"2001:db8::7", Kind::address, "2001:db8::7"},
                    Element{"[2001:db8::7]", Kind::address, "2001:db8::7"},
                    Element{"[2001:db8::7]:443", Kind::address, "2001:db8::7"},
                    Element{"unknown", Kind::unnamed}, Element{"Unknown:80", Kind::unnamed},
                    Element{"_hidden", Kind::unnamed}, Element{"_x:_y", Kind::unnamed},
                    Element{"192.0.2.256", Kind::malformed}, Element{"192.0.2", Kind::malformed},
                    Element{"192.0.2.7:", Kind::malformed}, Element{"192.0.2.7:x", Kind::malformed},
                    Element{"[192.0.2.7]", Kind::malformed}, Element{"[::1", Kind::malformed},
                    Element{"[::1]80", Kind::malformed}, Element{"::1]", Kind::malformed},
                    Element{"[]", Kind::malformed}, Element{"host", Kind::malformed},
                    Element{"unix:", Kind::malformed}, Element{"unix:1:2", Kind::malformed},
                    Element{"\"192.0.2.7\"", Kind::malformed},
                    Element{"192.0.2.7 192.0.2.8", Kind::malformed}));

class Forwarded : public testing::TestWithParam<Element> {};

TEST_P(Forwarded, SaysTheAddress) {
    const Hop hop = read_forwarded(GetParam().text);
    EXPECT_EQ(hop.kind, GetParam().kind) << GetParam().text;
    EXPECT_EQ(hop.address, GetParam().address) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Hops, Forwarded,
    testing::Values(Element{"for=192.0.2.7", Kind::address, "192.0.2.7"},
                    Element{"proto=https; FOR=192.0.2.7 ;by=x", Kind::address, "192.0.2.7"},
                    Element{"for=\"192.0.2.7:80\"", Kind::address, "192.0.2.7"},
                    Element{"For=\"[2001:db8::7]:443\"", Kind::address, "2001:db8::7"},
                    Element{"for=\"[2001:db8::7]\";host=\"a;b\"", Kind::address, "2001:db8::7"},
                    Element{"for=unknown", Kind::unnamed}, Element{"for=\"_a:1\"", Kind::unnamed},
                    Element{"proto=https", Kind::unnamed}, Element{"for=", Kind::malformed},
                    Element{"for", Kind::malformed}, Element{"", Kind::malformed},
                    Element{"for=192.0.2.7;", Kind::malformed},
                    Element{"for=192.0.2.7;for=192.0.2.8", Kind::malformed},
                    Element{"for=[::1]", Kind::malformed}, Element{"for=::1", Kind::malformed},
                    Element{"for=\"::1\"", Kind::malformed},
                    Element{"for=\"192.0.2.7", Kind::malformed},
                    Element{"for=\"192.0.2.7\\\"\"", Kind::malformed},
                    Element{"for = 192.0.2.7", Kind::malformed},
                    Element{"for=192.0.2.7;a b=c", Kind::malformed},
                    Element{"for=192.0.2.7;=c", Kind::malformed}));

}  // namespace
}  // namespace weir::rules
