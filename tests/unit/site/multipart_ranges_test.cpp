#include "http/answer/multipart_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/random_boundary.h"
#include "unit/site/request_fixture.h"

namespace weir::site {
namespace {

using http::MultipartRanges;

constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz";
constexpr http::ByteRange ranges[] = {{0, 3}, {23, 3}};

std::string boundary_of(const MultipartRanges& source) {
    const std::string type = source.content_type();
    return type.substr(type.find('=') + 1);
}

std::string expected(const std::string& boundary) {
    return "--" + boundary +
           "\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-2/26\r\n\r\nabc\r\n--" +
           boundary +
           "\r\nContent-Type: text/plain\r\nContent-Range: bytes 23-25/26\r\n\r\nxyz\r\n--" +
           boundary + "--\r\n";
}

TEST(MultipartRanges, OfBytesInPiecesOfAnySize) {
    for (std::size_t piece = 1; piece < 300; ++piece) {
        MultipartRanges source{{.body = alphabet,
                                .fd = -1,
                                .size = alphabet.size(),
                                .content_type = "text/plain",
                                .boundary = random_boundary()},
                               ranges};
        TestAnswer answer;
        read_source(source, answer, piece);
        EXPECT_EQ(answer.body, expected(boundary_of(source)));
        EXPECT_TRUE(answer.announced_whole);
    }
}

TEST(MultipartRanges, OfAFileAsStretches) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::tmpfile(), &std::fclose};
    std::fputs(alphabet.data(), file.get());
    std::fflush(file.get());
    for (const std::size_t piece : {1u, 10u, 4096u}) {
        MultipartRanges source{{.fd = ::fileno(file.get()),
                                .size = alphabet.size(),
                                .content_type = "text/plain",
                                .boundary = random_boundary()},
                               ranges};
        TestAnswer answer;
        read_source(source, answer, piece);
        EXPECT_EQ(answer.body, expected(boundary_of(source)));
        EXPECT_TRUE(answer.announced_whole);
        EXPECT_TRUE(answer.from_file);
    }
}

TEST(MultipartRanges, OfWhatIsReadInPiecesOfAnySize) {
    for (std::size_t piece = 1; piece < 300; ++piece) {
        MultipartRanges source{{.read =
                                    [](std::uint64_t offset, std::span<char> into) {
                                        const auto some = std::min<std::size_t>(into.size(), 2);
                                        return alphabet.copy(into.data(), some, offset);
                                    },
                                .size = alphabet.size(),
                                .content_type = "text/plain",
                                .boundary = random_boundary()},
                               ranges};
        TestAnswer answer;
        read_source(source, answer, piece);
        EXPECT_EQ(answer.body, expected(boundary_of(source)));
        EXPECT_TRUE(answer.announced_whole);
    }
}

TEST(MultipartRanges, FailWithWhatIsRead) {
    MultipartRanges source{{.read = [](std::uint64_t, std::span<char>) { return 0; },
                            .size = alphabet.size(),
                            .boundary = random_boundary()},
                           ranges};
    std::array<char, 4096> room;
    EXPECT_TRUE(std::holds_alternative<http::Source::Ready>(source.pull(room)));
    EXPECT_TRUE(std::holds_alternative<http::Source::Failed>(source.pull(room)));
}

TEST(MultipartRanges, NobodyCanGuessTheBoundary) {
    const MultipartRanges one{{.body = alphabet, .boundary = random_boundary()}, ranges};
    const MultipartRanges other{{.body = alphabet, .boundary = random_boundary()}, ranges};
    EXPECT_NE(one.content_type(), other.content_type());
    EXPECT_EQ(boundary_of(one).size(), 32u);
}

}  // namespace
}  // namespace weir::site
