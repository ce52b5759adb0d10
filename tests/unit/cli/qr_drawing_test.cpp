#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "cli/announce/qr_code.h"

namespace weir::cli {
namespace {

std::string repeated(std::string_view text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

/// Two modules on each side: dark, light; light, dark.
const QrCode code{.width = 2, .dark = {true, false, false, true}};

TEST(QrDrawing, HasTwoRowsALineAndFourLightModulesAround) {
    const std::string on = "\x1b[38;5;16;48;5;231m";
    const std::string off = "\x1b[0m\n";
    const std::string light = on + std::string(10, ' ') + off;
    EXPECT_EQ(draw(code, true), light + light + on + "    \u2580\u2584    " + off + light + light);
}

TEST(QrDrawing, IsTheOtherWayRoundWithoutColours) {
    const std::string light = repeated("\u2588", 10) + '\n';
    EXPECT_EQ(draw(code, false), light + light + repeated("\u2588", 4) + "\u2584\u2580" +
                                     repeated("\u2588", 4) + '\n' + light + light);
}

TEST(QrDrawing, HasALightHalfLineBelowAnOddNumberOfRows) {
    const QrCode one{.width = 1, .dark = {true}};
    const std::string text = draw(one, true);
    EXPECT_TRUE(text.contains("    \u2580    "));
    EXPECT_EQ(std::ranges::count(text, '\n'), 5);
}

TEST(QrCode, HasTheFinderPatternsInThreeCorners) {
    const auto made = make_qr_code("http://192.0.2.7:8000/");
    ASSERT_EQ(made.has_value(), can_make_qr_codes());
    if (!made) GTEST_SKIP() << "built without libqrencode";
    const auto dark = [&](unsigned row, unsigned column) {
        return made->dark[row * made->width + column];
    };
    const unsigned last = made->width - 1;
    EXPECT_TRUE(dark(0, 0) && dark(0, last) && dark(last, 0) && dark(3, 3));
    EXPECT_FALSE(dark(1, 1) || dark(1, last - 1) || dark(last - 1, 1));
}

TEST(QrCode, IsNoneWhereTheTextIsTooLong) {
    EXPECT_FALSE(make_qr_code(std::string(3'000, 'x')).has_value());
}

}  // namespace
}  // namespace weir::cli
