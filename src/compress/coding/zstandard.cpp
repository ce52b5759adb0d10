#include <zstd.h>

#include <new>

#include "compress/coding/encoder.h"

namespace weir::compress {
namespace {

ZSTD_EndDirective in_zstd(Flush flush) {
    switch (flush) {
        case Flush::none: return ZSTD_e_continue;
        case Flush::sync: return ZSTD_e_flush;
        case Flush::end: return ZSTD_e_end;
    }
    return ZSTD_e_continue;
}

struct Free {
    void operator()(ZSTD_CCtx* context) const noexcept { ::ZSTD_freeCCtx(context); }
};

class ZstandardEncoder final : public Encoder {
   public:
    explicit ZstandardEncoder(int level) noexcept : context_{::ZSTD_createCCtx()} {
        if (!context_) return;
        ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
        ::ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_windowLog, window_bits);
    }

    bool is_open() const noexcept { return context_ != nullptr; }

    Progress encode(std::string_view input, std::span<char> into, Flush flush) override {
        ZSTD_inBuffer in{input.data(), input.size(), 0};
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        const std::size_t left = ::ZSTD_compressStream2(context_.get(), &out, &in, in_zstd(flush));
        Progress progress{.taken = in.pos, .given = out.pos};
        progress.has_failed = ::ZSTD_isError(left) != 0;
        const bool all_taken = in.pos == in.size;
        progress.is_done = flush == Flush::none ? all_taken && out.pos < out.size : left == 0;
        return progress;
    }

    bool restart() override {
        return ::ZSTD_isError(::ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only)) == 0;
    }

   private:
    std::unique_ptr<ZSTD_CCtx, Free> context_;
};

std::unique_ptr<Encoder> make(int level) {
    std::unique_ptr<ZstandardEncoder> made{new (std::nothrow) ZstandardEncoder{level}};
    if (made && !made->is_open()) made.reset();
    return made;
}

}  // namespace

const MakeEncoder make_zstandard_encoder = make;

std::string zstandard_name() { return std::string{"zstd "} + ::ZSTD_versionString(); }

}  // namespace weir::compress
