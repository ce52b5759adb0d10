#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace weir::net {

/// Memory from mmap(2), unmapped by the destructor.
class Mapping {
   public:
    Mapping() = default;
    Mapping(Mapping&& other) noexcept
        : data_{std::exchange(other.data_, nullptr)}, size_{std::exchange(other.size_, 0)} {}
    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Mapping() {
        if (data_) ::munmap(data_, size_);
    }

    /// Maps `fd`, shared; if `fd` is -1, private zeroed memory. If mmap(2) fails, the result
    /// converts to false and errno is set.
    static Mapping of(int fd, std::size_t size, off_t offset) noexcept {
        const int sharing = fd >= 0 ? MAP_SHARED | MAP_POPULATE : MAP_PRIVATE | MAP_ANONYMOUS;
        void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, sharing, fd, offset);
        return data == MAP_FAILED ? Mapping{} : Mapping{data, size};
    }

    /// Zeroed memory that this process shares with the processes that it forks. If mmap(2) fails,
    /// the result converts to false and errno is set.
    static Mapping among_forks(std::size_t size) noexcept {
        void* const data =
            ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return data == MAP_FAILED ? Mapping{} : Mapping{data, size};
    }

    /// Maps `file`, shared. A page takes memory once it is used. Errors as above.
    static Mapping of_file(int file, std::size_t size) noexcept {
        void* const data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return data == MAP_FAILED ? Mapping{} : Mapping{data, size};
    }

    explicit operator bool() const noexcept { return data_ != nullptr; }
    template <typename Object>
    Object* at(std::size_t offset) const noexcept {
        return reinterpret_cast<Object*>(static_cast<std::byte*>(data_) + offset);
    }

   private:
    Mapping(void* data, std::size_t size) noexcept : data_{data}, size_{size} {}

    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace weir::net
