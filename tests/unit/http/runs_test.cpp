// Every instruction set skips the same bytes, and none reads past the end of the input.

#include "http/head/runs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpus/guarded.h"
#include "http/head/head_parser.h"

namespace weir::http {
namespace {

/// The length of the run of `set` by `Runs`, from `at` on.
template <typename Runs, ByteSet set>
std::size_t skip(std::string_view text, std::size_t at) {
    const char* begin = text.data();
    return static_cast<std::size_t>(
        Runs::template skip<set>(begin + at, begin + text.size(), begin) - begin);
}

/// A whole text of bytes of the set, with `stranger` at each place in turn, from each start.
template <typename Runs, ByteSet set>
void agrees_with_scalar(char plain, char stranger) {
    for (std::size_t size = 0; size <= 80; ++size) {
        tests::Guarded guarded{std::string(size, plain)};
        for (std::size_t strange = 0; strange <= size; ++strange) {
            if (strange < size) guarded.data()[strange] = stranger;
            for (std::size_t at = 0; at <= size; ++at)
                ASSERT_EQ((skip<Runs, set>(guarded.view(), at)),
                          (skip<ScalarRuns, set>(guarded.view(), at)))
                    << "size " << size << ", stranger at " << strange << ", from " << at;
            if (strange < size) guarded.data()[strange] = plain;
        }
    }
}

template <typename Runs, ByteSet set>
void knows_every_byte() {
    for (unsigned byte = 0; byte < 256; ++byte) {
        const tests::Guarded guarded{std::string(40, static_cast<char>(byte))};
        ASSERT_EQ((skip<Runs, set>(guarded.view(), 0)), set.has_byte(byte) ? 40u : 0u) << byte;
        ASSERT_EQ((skip<Runs, set>(guarded.view(), 39)), set.has_byte(byte) ? 40u : 39u) << byte;
    }
}

/// Where `Runs` says that runs of values' bytes end.
template <typename Runs>
std::vector<std::size_t> run_ends(std::string_view text, std::size_t at) {
    RunEnds<Runs, bytes::value> ends{text.data() + at, text.data() + text.size()};
    std::vector<std::size_t> found;
    do found.push_back(static_cast<std::size_t>(ends.next() - text.data()));
    while (found.back() != text.size());
    return found;
}

std::vector<std::size_t> run_ends_one_by_one(std::string_view text, std::size_t at) {
    std::vector<std::size_t> found;
    for (bool in_run = true; at < text.size(); ++at) {
        const bool is_plain = bytes::value.has_byte(static_cast<unsigned char>(text[at]));
        if (!is_plain && in_run) found.push_back(at);
        in_run = is_plain;
    }
    found.push_back(text.size());
    return found;
}

/// Texts of all sizes, with two strangers `apart` from each other at each place in turn.
template <typename Runs>
void finds_where_runs_end(std::size_t apart) {
    for (auto size = static_cast<std::size_t>(Runs::bytes_min); size <= 140; ++size) {
        tests::Guarded guarded{std::string(size, 'v')};
        for (std::size_t first = 0; first + apart < size; ++first) {
            guarded.data()[first] = '\r';
            guarded.data()[first + apart] = '\n';
            for (const std::size_t at : {std::size_t{0}, first, size / 2, size})
                ASSERT_EQ(run_ends<Runs>(guarded.view(), at),
                          run_ends_one_by_one(guarded.view(), at))
                    << "size " << size << ", first at " << first << ", from " << at;
            guarded.data()[first] = guarded.data()[first + apart] = 'v';
        }
    }
}

template <typename Runs>
void is_right() {
    for (const std::size_t apart : {1U, 2U, 3U, 64U}) finds_where_runs_end<Runs>(apart);
    knows_every_byte<Runs, bytes::token>();
    knows_every_byte<Runs, bytes::path_bytes>();
    knows_every_byte<Runs, bytes::query_bytes>();
    knows_every_byte<Runs, bytes::value>();
    agrees_with_scalar<Runs, bytes::token>('a', ':');
    agrees_with_scalar<Runs, bytes::path_bytes>('/', '?');
    agrees_with_scalar<Runs, bytes::query_bytes>('?', ' ');
    agrees_with_scalar<Runs, bytes::value>('\xff', '\r');
}

TEST(Runs, Scalar) { is_right<ScalarRuns>(); }

#if defined(__x86_64__)
TEST(Runs, Sse42) {
    if (widest() < InstructionSet::sse42) GTEST_SKIP() << "not on this machine";
    is_right<Sse42Runs>();
}

TEST(Runs, Avx2) {
    if (widest() < InstructionSet::avx2) GTEST_SKIP() << "not on this machine";
    is_right<Avx2Runs>();
}
#endif

TEST(ByteSets, AreThoseOfTheGrammars) {
    const std::string_view tchar =
        "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool visible = byte > 0x20 && byte < 0x7f;
        const bool value = visible || byte == ' ' || byte == '\t' || byte >= 0x80;
        EXPECT_EQ(bytes::token.has_byte(byte), tchar.contains(static_cast<char>(byte))) << byte;
        EXPECT_EQ(bytes::visible.has_byte(byte), visible) << byte;
        EXPECT_EQ(bytes::value.has_byte(byte), value) << byte;
        EXPECT_EQ(bytes::query_bytes.has_byte(byte), visible && byte != '#') << byte;
        EXPECT_EQ(bytes::path_bytes.has_byte(byte), visible && byte != '#' && byte != '?') << byte;
        EXPECT_EQ(bytes::hex.has_byte(byte), std::isxdigit(static_cast<int>(byte)) != 0) << byte;
    }
}

}  // namespace
}  // namespace weir::http
