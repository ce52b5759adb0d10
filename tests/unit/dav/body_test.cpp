#include "dav/request/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/web/refusal.h"

namespace weir::dav {
namespace {

using Kind = PropertiesAsked::Kind;

template <typename Read>
unsigned status_of(Read read, std::string_view document) {
    try {
        read(document);
    } catch (const web::Refusal& refusal) {
        return http::code(refusal.status());
    }
    return 0;
}

TEST(Bodies, OfPropfind) {
    EXPECT_EQ(read_propfind("").kind, Kind::all);
    EXPECT_EQ(read_propfind("<propfind xmlns='DAV:'><propname/></propfind>").kind, Kind::names);
    const auto all = read_propfind(
        "<a:propfind xmlns:a='DAV:'><a:allprop/><a:include><b xmlns='u'/></a:include></a:propfind>");
    EXPECT_EQ(all.kind, Kind::all);
    EXPECT_THAT(all.names, testing::ElementsAre(Name{"u", "b"}));
    const auto some = read_propfind(
        "<propfind xmlns='DAV:'><x xmlns='u'/><prop><getetag/><c xmlns=''/></prop></propfind>");
    EXPECT_EQ(some.kind, Kind::some);
    EXPECT_THAT(some.names, testing::ElementsAre(Name{"DAV:", "getetag"}, Name{"", "c"}));
    EXPECT_EQ(status_of(read_propfind, "<propfind xmlns='DAV:'>"), 400u);
    EXPECT_EQ(status_of(read_propfind, "<propfind xmlns='DAV:'/>"), 422u);
    EXPECT_EQ(status_of(read_propfind, "<propfind/>"), 422u);
    EXPECT_EQ(status_of(read_propfind, std::string(70'000, ' ')), 400u);
}

TEST(Bodies, OfProppatchKeepTheirOrder) {
    const auto steps = read_proppatch(
        "<D:propertyupdate xmlns:D='DAV:' xmlns:u='u' xml:lang='de'><D:set><D:prop><u:a>1</u:a></D:prop></D:set>"
        "<D:remove><D:prop><u:b/></D:prop></D:remove><other/>"
        "<D:set><D:prop><u:a xml:lang='en'/></D:prop></D:set></D:propertyupdate>");
    ASSERT_EQ(steps.size(), 3u);
    EXPECT_EQ(steps[0].xml, "<u:a xmlns:u=\"u\" xml:lang=\"de\">1</u:a>");
    EXPECT_EQ(steps[1].name, (Name{"u", "b"}));
    EXPECT_EQ(steps[1].xml, "");
    EXPECT_EQ(steps[2].xml, "<u:a xmlns:u=\"u\" xml:lang=\"en\"/>");
    EXPECT_EQ(status_of(read_proppatch, "<propertyupdate xmlns='DAV:'/>"), 422u);
    EXPECT_EQ(status_of(read_proppatch, "<propertyupdate xmlns='DAV:'><set/></propertyupdate>"),
              422u);
    EXPECT_EQ(status_of(read_proppatch, ""), 400u);
}

TEST(Bodies, OfLock) {
    EXPECT_FALSE(read_lock(""));
    const auto shared = read_lock(
        "<D:lockinfo xmlns:D='DAV:'><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>"
        "<D:owner><D:href>me</D:href></D:owner></D:lockinfo>");
    ASSERT_TRUE(shared);
    EXPECT_FALSE(shared->is_exclusive);
    EXPECT_EQ(shared->owner,
              "<D:owner xmlns:D=\"DAV:\"><D:href xmlns:D=\"DAV:\">me</D:href></D:owner>");
    EXPECT_EQ(
        status_of(
            read_lock,
            "<D:lockinfo xmlns:D='DAV:'><D:lockscope><D:exclusive/></D:lockscope></D:lockinfo>"),
        422u);
    EXPECT_EQ(
        status_of(
            read_lock,
            "<D:lockinfo xmlns:D='DAV:'><D:lockscope/><D:locktype><D:write/></D:locktype></D:lockinfo>"),
        422u);
}

}  // namespace
}  // namespace weir::dav
