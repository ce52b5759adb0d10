#include "site/types/content_coding.h"

#include <gtest/gtest.h>

#include "unit/site/request_fixture.h"

namespace weir::site {
namespace {

CodingSet all_codings() {
    CodingSet set;
    for (const auto coding : {Coding::identity, Coding::brotli, Coding::zstandard, Coding::gzip})
        set.add(coding);
    return set;
}

std::optional<Coding> chosen(const std::vector<std::string>& fields,
                             CodingSet available = all_codings()) {
    const TestRequest request{"GET /", fields};
    return choose_coding(request.get(), available);
}

std::optional<Coding> accepting(const std::string& value, CodingSet available = all_codings()) {
    return chosen({"Accept-Encoding: " + value}, available);
}

TEST(ContentCoding, WithoutTheFieldIdentity) { EXPECT_EQ(chosen({}), Coding::identity); }
TEST(ContentCoding, EmptyFieldIsIdentity) { EXPECT_EQ(accepting(""), Coding::identity); }

TEST(ContentCoding, TheBestOfThoseThatAreWantedAlike) {
    EXPECT_EQ(accepting("gzip, deflate, br, zstd"), Coding::brotli);
    EXPECT_EQ(accepting("gzip, zstd"), Coding::zstandard);
    EXPECT_EQ(accepting("gzip"), Coding::gzip);
    EXPECT_EQ(accepting("x-gzip"), Coding::gzip);
    EXPECT_EQ(accepting("GZIP"), Coding::gzip);
    EXPECT_EQ(accepting("deflate"), Coding::identity);
}

TEST(ContentCoding, WeightsCount) {
    EXPECT_EQ(accepting("br;q=0.5, gzip;q=0.9"), Coding::gzip);
    EXPECT_EQ(accepting("br;q=0.001"), Coding::brotli);
    EXPECT_EQ(accepting("br;q=0, gzip"), Coding::gzip);
    EXPECT_EQ(accepting("gzip;q=0.5, identity"), Coding::identity);
    EXPECT_EQ(accepting("gzip ; q=1.000 , br ; Q=0.999"), Coding::gzip);
    EXPECT_EQ(accepting("br;q=0"), Coding::identity);
}

TEST(ContentCoding, Star) {
    EXPECT_EQ(accepting("*"), Coding::brotli);
    EXPECT_EQ(accepting("br;q=0, *"), Coding::zstandard);
    EXPECT_EQ(accepting("gzip, *;q=0"), Coding::gzip);
    EXPECT_EQ(accepting("gzip;q=0.5, *;q=0.1"), Coding::gzip);
}

TEST(ContentCoding, IdentityRefused) {
    CodingSet plain;
    plain.add(Coding::identity);
    EXPECT_EQ(accepting("identity;q=0", plain), std::nullopt);
    EXPECT_EQ(accepting("*;q=0", plain), std::nullopt);
    EXPECT_EQ(accepting("gzip, identity;q=0", plain), std::nullopt);
    EXPECT_EQ(accepting("gzip, identity;q=0"), Coding::gzip);
    EXPECT_EQ(accepting("identity, *;q=0", plain), Coding::identity);
    EXPECT_EQ(accepting("gzip", plain), Coding::identity) << "nobody refused it";
}

TEST(ContentCoding, SeveralLinesAreOneList) {
    EXPECT_EQ(chosen({"Accept-Encoding: gzip;q=0.5", "Accept-Encoding: br"}), Coding::brotli);
}

TEST(ContentCoding, MalformedWeightsSayNothing) {
    for (const auto* const weight : {"2", "1.001", "-1", "0.1234", ".5", "x", "1.", "", "0,5"}) {
        const bool complete = std::string_view{weight} == "1.";  // "1" [ "." 0*3("0") ]
        EXPECT_EQ(accepting("br;q=" + std::string{weight} + ", gzip;q=0.5"),
                  complete ? Coding::brotli : Coding::gzip)
            << weight;
    }
}

}  // namespace
}  // namespace weir::site
