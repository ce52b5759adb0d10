#include <gtest/gtest.h>

#include "dav/xml/reader.h"

namespace weir::dav {
namespace {

std::string again(std::string_view document) {
    const auto root = read_xml(document);
    return root ? rendered(**root) : "refused: " + root.error();
}

std::string refusal(std::string_view document, const XmlLimits& limits = {}) {
    const auto root = read_xml(document, limits);
    return root ? std::string{} : root.error();
}

TEST(Xml, KeepsItsNamespaces) {
    EXPECT_EQ(
        again(
            R"(<D:a xmlns:D="DAV:" xmlns="u" x="1" D:y="&lt;2"><b>t&amp;<c xmlns=""/></b></D:a>)"),
        R"(<D:a xmlns:D="DAV:" x="1" D:y="&lt;2"><b xmlns="u">t&amp;<c xmlns=""/></b></D:a>)");
    EXPECT_EQ(again(again(R"(<a xmlns:p="1"><p:b xmlns:q="2" q:c="d" xml:lang="de"/></a>)")),
              R"(<a xmlns=""><p:b xmlns:p="1" xmlns:q="2" q:c="d" xml:lang="de"/></a>)");
}

TEST(Xml, OfAnyCharacterIsKept) {
    EXPECT_EQ(again("<a>\n&#x10000;&#13;]]&gt;<![CDATA[<b>]]></a>"),
              "<a xmlns=\"\">&#10;\xf0\x90\x80\x80&#13;]]&gt;&lt;b&gt;</a>");
}

TEST(Xml, HasNoDoctypeAndNoEntities) {
    const char* const why = "The XML has a DOCTYPE, which is not read";
    EXPECT_EQ(refusal("<!DOCTYPE a><a/>"), why);
    EXPECT_EQ(refusal(R"(<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>)"), why);
    EXPECT_EQ(refusal(R"(<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>)"), why);
    EXPECT_NE(refusal("<a>&x;</a>"), "");
}

TEST(Xml, ThatIsMalformedIsRefused) {
    for (const char* const text :
         {"", "x", "<a>", "<a></b>", "<a/><b/>", "<a b=1/>", "<p:a/>", R"(<a xmlns:p=""/>)",
          "<a>\x01</a>", "<a>\xff</a>", "<a b='1' b='2'/>"})
        EXPECT_NE(refusal(text), "") << text;
}

TEST(Xml, IsLimited) {
    EXPECT_EQ(refusal("<a><b/></a>", {.bytes_max = 5}), "The XML is too long");
    EXPECT_EQ(refusal("<a><b/></a>", {.depth_max = 2}), "");
    EXPECT_EQ(refusal("<a><b/></a>", {.depth_max = 1}), "The XML is nested too deeply");
    EXPECT_EQ(refusal("<a><b/></a>", {.elements_max = 1}), "The XML has too many elements");
    EXPECT_EQ(refusal("<a b='1' c='2'/>", {.attributes_max = 1}),
              "The XML has too many attributes");
    EXPECT_EQ(refusal("<abc/>", {.name_bytes_max = 2}), "The XML has a name that is too long");
    EXPECT_EQ(refusal("<a xmlns='long'/>", {.name_bytes_max = 5}),
              "The XML has a name that is too long");
}

}  // namespace
}  // namespace weir::dav
