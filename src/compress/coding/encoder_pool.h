#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "compress/coding/codings.h"
#include "compress/coding/shelf.h"

namespace weir::compress {

/// The encoders of one compressor, within a limit on their memory. The pool keeps some for later
/// use, because making an encoder takes longer than compressing a small page. Thread-safe.
class EncoderPool : public std::enable_shared_from_this<EncoderPool> {
   public:
    explicit EncoderPool(std::size_t bytes_max) noexcept : budget_{bytes_max} {}

    /// An encoder for one content. The lease keeps the pool alive.
    class Lease {
       public:
        Lease(std::shared_ptr<EncoderPool> pool, const CodingInUse& coding, const EncoderKind& kind,
              std::unique_ptr<Encoder> encoder, Share share) noexcept
            : pool_{std::move(pool)},
              slot_{kind.slot},
              quick_bytes_{coding.quick_bytes},
              encoder_{std::move(encoder)},
              share_{std::move(share)} {}
        Lease(Lease&&) noexcept = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (encoder_) pool_->take_back(slot_, std::move(encoder_));
        }
        Encoder& encoder() const noexcept { return *encoder_; }
        /// See CodingInUse.
        std::size_t quick_bytes() const noexcept { return quick_bytes_; }
        /// A share of the same limit, still empty.
        Share share() const noexcept { return Share{&pool_->budget_}; }

       private:
        std::shared_ptr<EncoderPool> pool_;
        std::size_t slot_;
        std::size_t quick_bytes_;
        std::unique_ptr<Encoder> encoder_;
        Share share_;
    };

    /// `kind` is one of the kinds of `coding`. `more`: further bytes to count with the encoder.
    /// Returns nothing if the limit is reached, or if there is no memory.
    std::optional<Lease> lease(const CodingInUse& coding, const EncoderKind& kind,
                               std::size_t more);

    std::size_t bytes() const noexcept { return budget_.used(); }

   private:
    void take_back(std::size_t slot, std::unique_ptr<Encoder> encoder) noexcept;

    Budget budget_;
    std::array<Shelf<Encoder>, encoder_slots> kept_;
};

}  // namespace weir::compress
