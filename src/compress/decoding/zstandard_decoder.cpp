#include <zstd.h>
#include <zstd_errors.h>

#include <memory>
#include <new>

#include "compress/decoding/decoders.h"

namespace weir::compress {
namespace {

using web::ContentDecoder;

constexpr int window_log_max = 23;  // 8 MB, as RFC 9659 3 has it

using Context = std::unique_ptr<ZSTD_DCtx, decltype([](ZSTD_DCtx* of) { ::ZSTD_freeDCtx(of); })>;

class ZstandardDecoder final : public ContentDecoder {
   public:
    ZstandardDecoder() : context_{::ZSTD_createDCtx()} {
        if (!context_) throw std::bad_alloc{};
        ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, window_log_max);
    }

    /// Several frames may follow each other (RFC 8878 3).
    Result decode(std::string_view& in, std::string& out, std::size_t bytes_max) override {
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        std::size_t left = 0;
        bool is_full = false;
        out.resize_and_overwrite(bytes_max, [&, had = out.size()](char* bytes, std::size_t) {
            ZSTD_outBuffer into{bytes, bytes_max, had};
            left = ::ZSTD_decompressStream(context_.get(), &into, &from);
            is_full = into.pos == into.size;
            return into.pos;
        });
        in.remove_prefix(from.pos);
        if (::ZSTD_isError(left) != 0) return error(left);
        if (left == 0) return in.empty() ? Result::ended : Result::has_more;
        return is_full || !in.empty() ? Result::has_more : Result::wants_input;
    }

   private:
    static Result error(std::size_t code) {
        if (::ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) throw std::bad_alloc{};
        return Result::malformed;
    }

    Context context_;
};

}  // namespace

const MakeDecoder make_zstandard_decoder = [] -> std::unique_ptr<ContentDecoder> {
    return std::make_unique<ZstandardDecoder>();
};

}  // namespace weir::compress
