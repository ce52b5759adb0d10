#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "compress/coding/encoder.h"

namespace weir::compress {
namespace {

constexpr int memory_level = 8;  // zlib's default
// The sign and the summand are zlib's: deflateInit2() in zlib.h.
constexpr int gzip_window = MAX_WBITS + 16;
constexpr int bare_window = -MAX_WBITS;
constexpr std::size_t count_max = std::numeric_limits<uInt>::max();

int in_zlib(Flush flush) {
    switch (flush) {
        case Flush::none: return Z_NO_FLUSH;
        case Flush::sync: return Z_SYNC_FLUSH;
        case Flush::end: return Z_FINISH;
    }
    return Z_NO_FLUSH;
}

class ZlibEncoder final : public Encoder {
   public:
    ZlibEncoder(int level, int window) noexcept
        : is_open_{::deflateInit2(&stream_, level, Z_DEFLATED, window, memory_level,
                                  Z_DEFAULT_STRATEGY) == Z_OK} {}
    ~ZlibEncoder() override {
        if (is_open_) ::deflateEnd(&stream_);
    }
    ZlibEncoder(const ZlibEncoder&) = delete;
    ZlibEncoder& operator=(const ZlibEncoder&) = delete;

    bool is_open() const noexcept { return is_open_; }

    Progress encode(std::string_view input, std::span<char> into, Flush flush) override {
        const auto in = static_cast<uInt>(std::min(input.size(), count_max));
        const auto room = static_cast<uInt>(std::min(into.size(), count_max));
        // zlib does not write to the input; the type is const only with ZLIB_CONST.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        stream_.avail_in = in;
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = room;
        const int result = ::deflate(&stream_, in_zlib(flush));
        Progress progress{.taken = in - stream_.avail_in, .given = room - stream_.avail_out};
        // Z_BUF_ERROR is no failure: no progress was possible.
        progress.has_failed = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
        const bool all_taken = progress.taken == input.size();
        progress.is_done =
            flush == Flush::end ? result == Z_STREAM_END : all_taken && stream_.avail_out != 0;
        return progress;
    }

    bool restart() override { return ::deflateReset(&stream_) == Z_OK; }

   private:
    z_stream stream_{};
    bool is_open_;
};

template <int window>
std::unique_ptr<Encoder> make(int level) {
    std::unique_ptr<ZlibEncoder> made{new (std::nothrow) ZlibEncoder{level, window}};
    if (made && !made->is_open()) made.reset();
    return made;
}

}  // namespace

const MakeEncoder make_gzip_encoder = make<gzip_window>;
const MakeEncoder make_deflate_encoder = make<bare_window>;

std::string zlib_name() { return std::string{"zlib "} + ::zlibVersion(); }

}  // namespace weir::compress
