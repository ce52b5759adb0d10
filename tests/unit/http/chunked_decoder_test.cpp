// How decode() may be called, and the limits. What is well-formed stands in tests/corpus/.

#include "http/content/chunked_decoder.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::http {
namespace {

struct Decoded {
    std::string content;
    std::string trailers;
    std::size_t consumed = 0;
    ChunkedDecoder::Result result = ChunkedDecoder::Result::more;
    Fault fault = Fault::none;

    bool operator==(const Decoded&) const = default;
};

/// Decodes `input` in pieces of `piece` bytes.
Decoded decode(std::string_view input, const Limits& limits = {}, std::size_t piece = 1000) {
    ChunkedDecoder decoder;
    Decoded decoded;
    while (decoded.consumed < input.size()) {
        const auto step = decoder.decode(input.substr(decoded.consumed, piece), limits);
        decoded.consumed += step.consumed;
        decoded.content += step.data;
        decoded.result = step.result;
        decoded.fault = step.fault;
        if (step.result == ChunkedDecoder::Result::fault) break;
        if (step.result == ChunkedDecoder::Result::complete) {
            decoded.trailers = decoder.take_trailers();
            break;
        }
    }
    EXPECT_TRUE(piece == 1 || decode(input, limits, 1) == decoded) << input;
    EXPECT_TRUE(piece < 1000 || decode(input, limits, 3) == decoded) << input;
    return decoded;
}

Fault fault_of(std::string_view input, const Limits& limits = {}) {
    return decode(input, limits).fault;
}

TEST(ChunkedDecoder, GivesContentAndStopsAtItsEnd) {
    const std::string_view body = "4\r\nWiki\r\n5;name=value\r\npedia\r\n0\r\n\r\n";
    const Decoded decoded = decode(std::string{body} + "GET / HTTP/1.1\r\n");
    EXPECT_EQ(decoded.result, ChunkedDecoder::Result::complete);
    EXPECT_EQ(decoded.content, "Wikipedia");
    EXPECT_EQ(decoded.consumed, body.size());
    EXPECT_EQ(decoded.trailers, "");
}

TEST(ChunkedDecoder, SaysMoreForAsLongAsTheBodyLasts) {
    const std::string body = "4\r\nWiki\r\n0\r\nA: b\r\n\r\n";
    for (std::size_t size = 0; size < body.size(); ++size) {
        ChunkedDecoder decoder;
        std::string_view input{body.data(), size};
        auto step = decoder.decode(input, Limits{});
        while (step.result == ChunkedDecoder::Result::data) {
            input.remove_prefix(step.consumed);
            step = decoder.decode(input, Limits{});
        }
        EXPECT_EQ(step.result, ChunkedDecoder::Result::more) << size;
        EXPECT_EQ(step.consumed, input.size());
    }
}

TEST(ChunkedDecoder, NamesDataWithinTheInput) {
    ChunkedDecoder decoder;
    const std::string_view input = "4\r\nWiki\r\n";
    const auto step = decoder.decode(input, Limits{});
    EXPECT_EQ(step.result, ChunkedDecoder::Result::data);
    EXPECT_EQ(step.data.data(), input.data() + 3);
    EXPECT_EQ(step.consumed, 7u);
}

TEST(ChunkedDecoder, TakesSizesBelowTwoToThe63) {
    EXPECT_EQ(fault_of("7fffffffffffffff\r\n"), Fault::none);
    EXPECT_EQ(fault_of("8000000000000000\r\n"), Fault::malformed_chunk_size);
    EXPECT_EQ(fault_of("10000000000000001\r\nx"), Fault::malformed_chunk_size);
    EXPECT_EQ(decode("00000000000000000001\r\nx\r\n0000\r\n\r\n").content, "x");
}

TEST(ChunkedDecoder, TrimsTrailersAndLeavesOutThoseThatMustNotBeThere) {
    const Decoded decoded = decode(
        "0\r\nX-First: \t a b \t\r\nContent-Length: 5\r\nHOST: evil\r\ntransfer-encoding: chunked\r\n"
        "Empty:\r\nblank: \t \r\nSet-Cookie: a\r\nLast:z\r\n\r\n");
    EXPECT_EQ(decoded.result, ChunkedDecoder::Result::complete);
    EXPECT_EQ(decoded.trailers, "X-First: a b\r\nEmpty: \r\nblank: \r\nLast: z\r\n");
}

TEST(ChunkedDecoder, LimitsASizeLine) {
    Limits limits;
    limits.chunk_line_bytes_max = 8;
    EXPECT_EQ(fault_of("1;ab=cde\r\nx\r\n1;ab=cde\r\n", limits), Fault::none);
    EXPECT_EQ(fault_of("1;ab=cdef", limits), Fault::chunk_line_too_long);
    EXPECT_EQ(fault_of("00000001\r\n", limits), Fault::none);
    EXPECT_EQ(fault_of("000000001", limits), Fault::chunk_line_too_long);
}

TEST(ChunkedDecoder, LimitsTheExtensionsOfAMessage) {
    Limits limits;
    limits.chunk_extension_bytes_max = 5;
    EXPECT_EQ(fault_of("1;a\r\nx\r\n1;ab\r\nx\r\n1\r\nx\r\n0\r\n\r\n", limits), Fault::none);
    EXPECT_EQ(fault_of("1;a\r\nx\r\n1;abc", limits), Fault::chunk_extensions_too_long);
}

TEST(ChunkedDecoder, LimitsTheTrailerSection) {
    Limits limits;
    limits.trailer_bytes_max = 12;
    EXPECT_EQ(fault_of("0\r\na: b\r\nc: d\r\n\r\n", limits), Fault::none);
    EXPECT_EQ(fault_of("0\r\na: b\r\nc: de\r\n", limits), Fault::trailers_too_long);
    EXPECT_EQ(fault_of("0\r\nhost: b123456", limits), Fault::trailers_too_long);
    limits.trailer_bytes_max = 0;
    EXPECT_EQ(fault_of("0\r\n\r\n", limits), Fault::none);
}

TEST(ChunkedDecoder, LimitsTheTrailerFields) {
    Limits limits;
    limits.fields_max = 2;
    EXPECT_EQ(fault_of("0\r\na:\r\nb:\r\n\r\n", limits), Fault::none);
    EXPECT_EQ(fault_of("0\r\na:\r\nb:\r\nc", limits), Fault::too_many_fields);
}

TEST(ChunkedDecoder, StaysAtItsFault) {
    ChunkedDecoder decoder;
    const auto step = decoder.decode("2x", Limits{});
    EXPECT_EQ(step.result, ChunkedDecoder::Result::fault);
    EXPECT_EQ(step.consumed, 1u);
    EXPECT_EQ(decoder.decode("2\r\n", Limits{}).result, ChunkedDecoder::Result::fault);
}

}  // namespace
}  // namespace weir::http
