#pragma once

#include <unistd.h>

#include <utility>

namespace weir::net {

/// A file descriptor, closed by the destructor. -1: none.
class UniqueFd {
   public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) noexcept : fd_{fd} {}
    UniqueFd(UniqueFd&& other) noexcept : fd_{other.release()} {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const noexcept { return fd_; }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
    void reset(int fd = -1) noexcept {
        const int old = std::exchange(fd_, fd);
        // No second call after EINTR: Linux has freed the descriptor by then (close(2)).
        if (old >= 0) ::close(old);
    }

   private:
    int fd_ = -1;
};

}  // namespace weir::net
