#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "site/root/file_state.h"

namespace weir::site {

/// A hash of numbers. It is quick and not cryptographic: it only excludes equal values by chance.
std::uint64_t digest(std::initializer_list<std::uint64_t> values) noexcept;

std::uint64_t digest_of(FileTime time) noexcept;

/// Differs whenever the file changes, and from one file to another.
std::uint64_t identity_of(const FileState& state) noexcept;

/// A hash of bytes that come in pieces, of the same kind. Four sums run side by side, because each
/// step of one waits for its last.
class ContentHash {
   public:
    static constexpr std::size_t stride = 4 * sizeof(std::uint64_t);

    /// The size of each piece but the last is a multiple of `stride`.
    void add(std::string_view piece) noexcept;
    std::uint64_t value() const noexcept;

   private:
    std::array<std::uint64_t, 4> sums_{1, 2, 3, 4};
    std::uint64_t size_ = 0;
};

std::uint64_t hash_of(std::string_view content) noexcept;

/// The same for the first `size` bytes of an open file. Fails if the file is shorter.
std::expected<std::uint64_t, std::error_code> hash_of_file(int fd, std::uint64_t size);

}  // namespace weir::site
