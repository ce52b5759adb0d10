#pragma once

#include <linux/io_uring.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "net/mapping.h"
#include "net/unique_fd.h"

struct msghdr;

namespace weir::net {

/// io_uring(7): the program writes operations into one ring, which the kernel reads; the kernel
/// writes their completions into another. wait() hands over the operations, and waits, in one
/// system call.
///
/// `about` of an operation comes back with each of its completions, and identifies it for cancel().
/// Until its last completion, the kernel may use whatever the operation refers to.
///
/// From enable() on, one thread uses the ring. Another thread may have opened it.
class Ring {
   public:
    /// What the kernel's rings can do. Older kernels lack some of it.
    struct Features {
        bool deferred_work = true;  // the kernel finishes operations in wait() alone (Linux 6.1)
        bool accept_many = true;    // one operation accepts many connections (5.19)
        bool receive_many = true;   // one operation receives many times (6.0)
    };

    struct Completion {
        std::uint64_t about;
        int result;  // that of the system call of the same name, or -errno
        std::uint32_t flags;

        /// The operation is over.
        bool is_last() const noexcept { return (flags & IORING_CQE_F_MORE) == 0; }
        /// The buffer that the kernel took for it.
        std::optional<std::uint16_t> buffer() const noexcept {
            if ((flags & IORING_CQE_F_BUFFER) == 0) return std::nullopt;
            return static_cast<std::uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT);
        }
    };

    /// Call it before all other functions. `operations` and `completions` are the sizes of the two
    /// rings; more of both are kept elsewhere, which takes longer. Only the features in `wanted`
    /// are used. The message() of an error says why this machine offers no rings.
    std::error_code open(unsigned operations, unsigned completions, Features wanted);
    /// Call it in the thread that will use the ring.
    std::error_code enable() noexcept;

    const Features& features() const noexcept { return features_; }
    int fd() const noexcept { return fd_.get(); }

    // Sockets must not be O_NONBLOCK: operations that would have to wait fail with EAGAIN on them.

    /// The result of each completion is a connection's socket. With `many` it goes on until it is
    /// canceled or fails.
    void accept(int listener, bool many, std::uint64_t about);
    /// Each completion names a buffer of the group (see BufferRing). It goes on until the peer ends
    /// (a result of 0), an error, or a lack of buffers (ENOBUFS).
    void receive_many(int socket, std::uint16_t buffer_group, std::uint64_t about);
    void send(int socket, std::string_view bytes, int flags, std::uint64_t about);
    void send(int socket, const msghdr& message, int flags, std::uint64_t about);
    /// Completes when `fd` is ready for one of `events` (poll(2)); with `many`, at each change.
    void poll(int fd, std::uint32_t events, bool many, std::uint64_t about);
    /// Cancels the operation `about_what`, which completes with ECANCELED unless it is done.
    void cancel(std::uint64_t about_what, std::uint64_t about);
    void no_operation(std::uint64_t about);

    /// Returns as soon as there is a completion, and with none when the time is over. The number of
    /// completions is limited; they stay valid until the next call. `milliseconds`: -1 waits
    /// without a limit.
    std::span<const Completion> wait(int milliseconds) noexcept;

   private:
    /// A ring in the memory that is shared with the kernel. One side moves the head, and the other
    /// side the tail. Both only count up.
    struct Shared {
        std::uint32_t* head = nullptr;
        std::uint32_t* tail = nullptr;
        std::uint32_t mask = 0;
        std::uint32_t entries = 0;
    };

    std::error_code map(const io_uring_params& params) noexcept;
    std::error_code probe(Features wanted);
    void add(const io_uring_sqe& operation);
    bool put(const io_uring_sqe& operation) noexcept;
    void put_waiting();
    int enter(unsigned completions_min, int milliseconds) noexcept;
    std::span<const Completion> take() noexcept;

    UniqueFd fd_;
    Mapping rings_;
    Mapping operations_memory_;
    Shared submission_;
    Shared completion_;
    io_uring_sqe* operations_ = nullptr;
    const io_uring_cqe* completions_ = nullptr;
    std::uint32_t tail_ = 0;             // of the submission ring
    std::vector<io_uring_sqe> waiting_;  // while the kernel takes no more of them
    Features features_;
    std::array<Completion, 256> taken_;
};

/// Says in words why there is no ring: the errors of io_uring_setup(2).
const std::error_category& ring_category() noexcept;

}  // namespace weir::net
