#include <brotli/encode.h>

#include <cstdint>
#include <new>

#include "compress/coding/encoder.h"

namespace weir::compress {
namespace {

BrotliEncoderOperation in_brotli(Flush flush) {
    switch (flush) {
        case Flush::none: return BROTLI_OPERATION_PROCESS;
        case Flush::sync: return BROTLI_OPERATION_FLUSH;
        case Flush::end: return BROTLI_OPERATION_FINISH;
    }
    return BROTLI_OPERATION_PROCESS;
}

struct Destroy {
    void operator()(BrotliEncoderState* state) const noexcept {
        ::BrotliEncoderDestroyInstance(state);
    }
};

class BrotliEncoder final : public Encoder {
   public:
    explicit BrotliEncoder(int level) noexcept : level_{level} {}

    Progress encode(std::string_view input, std::span<char> into, Flush flush) override {
        std::size_t in = input.size();
        std::size_t room = into.size();
        const auto* from = reinterpret_cast<const std::uint8_t*>(input.data());
        auto* to = reinterpret_cast<std::uint8_t*>(into.data());
        const bool worked =
            ::BrotliEncoderCompressStream(state_.get(), in_brotli(flush), &in, &from, &room, &to,
                                          nullptr) == BROTLI_TRUE;
        Progress progress{.taken = input.size() - in, .given = into.size() - room};
        progress.has_failed = !worked;
        const bool is_empty = in == 0 && ::BrotliEncoderHasMoreOutput(state_.get()) == BROTLI_FALSE;
        progress.is_done =
            flush == Flush::end ? ::BrotliEncoderIsFinished(state_.get()) == BROTLI_TRUE : is_empty;
        return progress;
    }

    /// Makes a new instance, because brotli cannot reset one.
    bool restart() override {
        state_.reset();
        state_.reset(::BrotliEncoderCreateInstance(nullptr, nullptr, nullptr));
        if (!state_) return false;
        ::BrotliEncoderSetParameter(state_.get(), BROTLI_PARAM_QUALITY,
                                    static_cast<std::uint32_t>(level_));
        ::BrotliEncoderSetParameter(state_.get(), BROTLI_PARAM_LGWIN, window_bits);
        return true;
    }

   private:
    std::unique_ptr<BrotliEncoderState, Destroy> state_;
    int level_;
};

std::unique_ptr<Encoder> make(int level) {
    std::unique_ptr<Encoder> made{new (std::nothrow) BrotliEncoder{level}};
    if (made && !made->restart()) made.reset();
    return made;
}

}  // namespace

const MakeEncoder make_brotli_encoder = make;

std::string brotli_name() {
    // A number with three digits of 8, 12 and 12 bits: BrotliEncoderVersion() in encode.h.
    constexpr std::uint32_t digit_max = 0xfff;
    const std::uint32_t version = ::BrotliEncoderVersion();
    return "brotli " + std::to_string(version >> 24) + '.' +
           std::to_string(version >> 12 & digit_max) + '.' + std::to_string(version & digit_max);
}

}  // namespace weir::compress
