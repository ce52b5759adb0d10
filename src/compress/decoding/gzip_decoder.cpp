#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "compress/decoding/decoders.h"

namespace weir::compress {
namespace {

using web::ContentDecoder;

constexpr int gzip_window = MAX_WBITS + 16;  // inflateInit2() in zlib.h
constexpr std::size_t count_max = std::numeric_limits<uInt>::max();

class GzipDecoder final : public ContentDecoder {
   public:
    GzipDecoder() {
        if (::inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc{};
    }
    ~GzipDecoder() override { ::inflateEnd(&stream_); }
    GzipDecoder(const GzipDecoder&) = delete;
    GzipDecoder& operator=(const GzipDecoder&) = delete;

    Result decode(std::string_view& in, std::string& out, std::size_t bytes_max) override {
        // Several members may follow each other (RFC 1952 2.2).
        if (std::exchange(is_behind_member_, false)) ::inflateReset(&stream_);
        const std::size_t had = out.size();
        const auto given = static_cast<uInt>(std::min(in.size(), count_max));
        // zlib does not write to the input; the type is const only with ZLIB_CONST.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = given;
        int result = Z_OK;
        out.resize_and_overwrite(bytes_max, [&](char* bytes, std::size_t /*capacity*/) {
            const auto room = static_cast<uInt>(std::min(bytes_max - had, count_max));
            stream_.next_out = reinterpret_cast<Bytef*>(bytes + had);
            stream_.avail_out = room;
            result = ::inflate(&stream_, Z_NO_FLUSH);
            return had + room - stream_.avail_out;
        });
        in.remove_prefix(given - stream_.avail_in);
        if (result == Z_MEM_ERROR) throw std::bad_alloc{};
        is_behind_member_ = result == Z_STREAM_END;
        if (is_behind_member_) return in.empty() ? Result::ended : Result::has_more;
        if (result != Z_OK && result != Z_BUF_ERROR) return Result::malformed;
        return stream_.avail_out == 0 ? Result::has_more : Result::wants_input;
    }

   private:
    z_stream stream_{};
    bool is_behind_member_ = false;
};

}  // namespace

const MakeDecoder make_gzip_decoder = [] -> std::unique_ptr<ContentDecoder> {
    return std::make_unique<GzipDecoder>();
};

}  // namespace weir::compress
