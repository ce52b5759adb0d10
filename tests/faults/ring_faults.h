#pragma once

#include <linux/io_uring.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>

namespace weir::tests {

/// Fails what a ring is asked to do, which no wrapped call can: an operation that is to fail gets a
/// descriptor that isn't open before the kernel takes it, and the completion's EBADF becomes the
/// wanted error. So the kernel itself fails it, and keeps its books (of buffers, say) as it always
/// does.
class RingFaults {
   public:
    /// io_uring_setup(2) has made this ring.
    void made(int ring, const io_uring_params& params);
    /// mmap(2) has mapped a part of it, if it is a ring.
    void mapped(int ring, off_t part, void* memory);
    void closed(int fd);

    /// Around io_uring_enter(2).
    void submits(int ring, std::uint32_t count);
    void has_completed(int ring);

   private:
    struct Ring {
        io_uring_params params;
        char* rings = nullptr;
        io_uring_sqe* operations = nullptr;
        std::map<std::uint64_t, int> failing;  // by user_data: the errno
    };

    std::mutex mutex_;
    std::map<int, Ring> rings_;
};

}  // namespace weir::tests
