#include "unit/compress/decompressed.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace weir::tests {
namespace {

struct Decoded {
    std::string bytes;
    bool is_whole = false;
};

Decoded of_gzip(std::string_view bytes) {
    z_stream stream{};
    if (::inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) throw std::runtime_error{"zlib"};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    Decoded decoded;
    std::array<char, 4096> room;
    int result = Z_OK;
    do {
        stream.next_out = reinterpret_cast<Bytef*>(room.data());
        stream.avail_out = room.size();
        result = ::inflate(&stream, Z_SYNC_FLUSH);
        decoded.bytes.append(room.data(), room.size() - stream.avail_out);
    } while (result == Z_OK);
    decoded.is_whole = result == Z_STREAM_END && stream.avail_in == 0;
    ::inflateEnd(&stream);
    return decoded;
}

Decoded of_brotli(std::string_view bytes) {
    const std::unique_ptr<BrotliDecoderState, decltype(&::BrotliDecoderDestroyInstance)> state{
        ::BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), ::BrotliDecoderDestroyInstance};
    const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::size_t left = bytes.size();
    Decoded decoded;
    std::array<std::uint8_t, 4096> room;
    BrotliDecoderResult result{};
    do {
        std::uint8_t* out = room.data();
        std::size_t space = room.size();
        result = ::BrotliDecoderDecompressStream(state.get(), &left, &in, &space, &out, nullptr);
        decoded.bytes.append(reinterpret_cast<char*>(room.data()), room.size() - space);
    } while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT);
    decoded.is_whole = result == BROTLI_DECODER_RESULT_SUCCESS && left == 0;
    return decoded;
}

Decoded of_zstandard(std::string_view bytes) {
    const std::unique_ptr<ZSTD_DCtx, decltype(&::ZSTD_freeDCtx)> context{::ZSTD_createDCtx(),
                                                                         ::ZSTD_freeDCtx};
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    Decoded decoded;
    std::array<char, 4096> room;
    std::size_t left = 1;
    for (;;) {
        ZSTD_outBuffer out{room.data(), room.size(), 0};
        left = ::ZSTD_decompressStream(context.get(), &out, &in);
        decoded.bytes.append(room.data(), out.pos);
        if (::ZSTD_isError(left) != 0 || left == 0 || (in.pos == in.size && out.pos < out.size))
            break;
    }
    decoded.is_whole = left == 0 && in.pos == in.size;
    return decoded;
}

Decoded decoded(std::string_view coding, std::string_view bytes) {
    if (coding == "gzip") return of_gzip(bytes);
    if (coding == "br") return of_brotli(bytes);
    if (coding == "zstd") return of_zstandard(bytes);
    return {std::string{bytes}, true};
}

}  // namespace

std::string decompressed(std::string_view coding, std::string_view bytes) {
    auto whole = decoded(coding, bytes);
    if (!whole.is_whole) throw std::runtime_error{"not one whole content"};
    return std::move(whole.bytes);
}

std::string readable_part(std::string_view coding, std::string_view bytes) {
    return decoded(coding, bytes).bytes;
}

}  // namespace weir::tests
