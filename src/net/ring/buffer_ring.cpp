#include "net/ring/buffer_ring.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "base/last_error.h"
#include "net/ring/ring.h"

namespace weir::net {

std::error_code BufferRing::open(const Ring& ring, std::uint16_t group, std::uint16_t count,
                                 std::uint32_t buffer_bytes) noexcept {
    entries_memory_ = Mapping::of(-1, count * sizeof(io_uring_buf), 0);
    buffers_ = Mapping::of(-1, std::size_t{count} * buffer_bytes, 0);
    if (!entries_memory_ || !buffers_) return last_error();
    entries_ = entries_memory_.at<io_uring_buf>(0);
    io_uring_buf_reg registration{};
    registration.ring_addr = reinterpret_cast<std::uint64_t>(entries_);
    registration.ring_entries = count;
    registration.bgid = group;
    if (::syscall(SYS_io_uring_register, ring.fd(), IORING_REGISTER_PBUF_RING, &registration, 1) <
        0)
        return last_error();
    buffer_bytes_ = buffer_bytes;
    group_ = group;
    mask_ = static_cast<std::uint16_t>(count - 1);
    for (std::uint16_t buffer = 0; buffer < count; ++buffer) give_back(buffer);
    return {};
}

void BufferRing::give_back(std::uint16_t buffer) noexcept {
    // The last field of the first entry is the ring's tail, so entries are not assigned as a whole.
    io_uring_buf& entry = entries_[tail_ & mask_];
    entry.addr = reinterpret_cast<std::uint64_t>(bytes(buffer, 0).data());
    entry.len = buffer_bytes_;
    entry.bid = buffer;
    std::atomic_ref{entries_->resv}.store(++tail_, std::memory_order_release);
}

}  // namespace weir::net
