#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace weir::tests {

/// Bytes whose end is the end of readable memory: who reads one further crashes.
class Guarded {
   public:
    explicit Guarded(std::string_view bytes) : size_{bytes.size()} {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        readable_ = (size_ + page - 1) / page * page;
        mapped_ = readable_ + page;
        map_ = static_cast<char*>(
            mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (map_ == MAP_FAILED || mprotect(map_ + readable_, page, PROT_NONE) != 0) std::abort();
        if (size_ != 0) std::memcpy(data(), bytes.data(), size_);
    }
    ~Guarded() { munmap(map_, mapped_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    char* data() noexcept { return map_ + readable_ - size_; }
    std::string_view view() const noexcept { return {map_ + readable_ - size_, size_}; }

   private:
    std::size_t size_;
    std::size_t readable_ = 0;
    std::size_t mapped_ = 0;
    char* map_ = nullptr;
};

}  // namespace weir::tests
