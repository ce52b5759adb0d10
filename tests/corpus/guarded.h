#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace weir::tests {

/// Memory whose end is the end of what may be read: who reads one byte further crashes.
class Guarded {
   public:
    explicit Guarded(std::size_t capacity) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        readable_ = (capacity + page - 1) / page * page;
        mapped_ = readable_ + page;
        map_ = static_cast<char*>(
            mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (map_ == MAP_FAILED || mprotect(map_ + readable_, page, PROT_NONE) != 0) std::abort();
    }
    explicit Guarded(std::string_view bytes) : Guarded{bytes.size()} { place(bytes); }
    ~Guarded() { munmap(map_, mapped_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    /// Puts bytes at the end, in place of those that were there.
    void place(std::string_view bytes) noexcept {
        size_ = bytes.size();
        bytes.copy(data(), size_);
    }
    char* data() noexcept { return map_ + readable_ - size_; }
    std::string_view view() const noexcept { return {map_ + readable_ - size_, size_}; }

   private:
    std::size_t size_ = 0;
    std::size_t readable_ = 0;
    std::size_t mapped_ = 0;
    char* map_ = nullptr;
};

}  // namespace weir::tests
