#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weir::archive {

/// The CRC-32 of ZIP (ISO 3309), in eight tables: eight bytes for each step.
class Crc32 {
   public:
    void add(std::string_view bytes) noexcept;
    std::uint32_t value() const noexcept { return ~state_; }

   private:
    std::uint32_t state_ = 0xffff'ffff;
};

}  // namespace weir::archive
