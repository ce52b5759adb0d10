#pragma once

#include <linux/io_uring.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "net/mapping.h"
#include "net/unique_fd.h"

namespace weir::net {

/// io_uring(7): the program writes operations into one ring, and the kernel writes their results into
/// another. wait() submits the operations and waits for results, in one system call.
///
/// The number `about` of an operation comes back with each of its completions; cancel() finds the
/// operation by it. Until its last completion, the kernel may use the memory and the descriptor that
/// the operation names.
///
/// One thread uses a ring, from enable() on; another thread may have opened it.
class Ring {
   public:
    /// What the rings of this kernel can do; older kernels lack some of it.
    struct Features {
        bool deferred_work =
            true;  // the kernel works for the ring in wait(), and nowhere else (6.1)
        bool receive_many = true;  // one operation receives all that comes (6.0)
        bool send_quietly = true;  // a send that succeeds has no completion (6.1)
    };

    struct Completion {
        std::uint64_t about;
        int result;  // as of the system call of that name, or -errno
        std::uint32_t flags;

        /// The operation has ended.
        bool is_last() const noexcept { return (flags & IORING_CQE_F_MORE) == 0; }
        /// The buffer that holds the bytes (see BufferRing).
        std::optional<std::uint16_t> buffer() const noexcept {
            if ((flags & IORING_CQE_F_BUFFER) == 0) return std::nullopt;
            return static_cast<std::uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT);
        }
    };

    /// Before any other call. The rings have room for so many operations and completions; more of
    /// both are kept, but cost a system call or memory. Uses those features of `wanted` that the
    /// kernel has. The message() of an error says why there is no ring.
    std::error_code open(unsigned operations, unsigned completions, Features wanted);
    /// By the thread that will use the ring.
    std::error_code enable() noexcept;

    const Features& features() const noexcept { return features_; }
    int fd() const noexcept { return fd_.get(); }

    /// Each completion names a buffer of the group (see BufferRing). Ends with the stream (a result
    /// of 0), with an error, or when all buffers are in use (ENOBUFS).
    void receive_many(int socket, std::uint16_t buffer_group, std::uint64_t about);
    /// Sends what the socket takes at once, while wait() submits it. A completion comes only if that
    /// was not all: with the number of bytes that were sent, or an error.
    void send_quietly(int socket, std::string_view bytes, std::uint64_t about);
    /// Completes once, when `fd` is ready for one of `events` (poll(2)).
    void poll(int fd, std::uint32_t events, std::uint64_t about);
    /// Ends the operation `about_what`, as ECANCELED unless it has ended otherwise.
    void cancel(std::uint64_t about_what, std::uint64_t about);
    void no_operation(std::uint64_t about);

    /// Submits what was asked for, and returns as soon as there are completions; with none when the
    /// time is over. `milliseconds`: -1 for no limit. The span is valid until the next call.
    std::span<const Completion> wait(int milliseconds) noexcept;
    /// Everything was submitted, and wait() has returned all completions: a quiet send without one
    /// has succeeded.
    bool is_drained() const noexcept;

   private:
    /// A ring in the memory that is shared with the kernel. One side moves the head, the other side
    /// the tail; both only count up.
    struct Shared {
        std::uint32_t* head = nullptr;
        std::uint32_t* tail = nullptr;
        std::uint32_t mask = 0;
        std::uint32_t entries = 0;
    };

    std::error_code map(const io_uring_params& params);
    std::error_code probe(Features wanted);
    std::error_code restrict() noexcept;
    /// The operation is valid until the next call.
    io_uring_sqe& add(std::uint8_t opcode, int fd, std::uint64_t about);
    io_uring_sqe& place();
    bool is_full() const noexcept;
    void put_waiting();
    int enter(unsigned completions_min, int milliseconds) noexcept;
    std::span<const Completion> take() noexcept;

    UniqueFd fd_;
    Mapping rings_;
    Mapping operations_memory_;
    Shared submission_;
    Shared completion_;
    std::uint32_t* submission_flags_ = nullptr;
    io_uring_sqe* operations_ = nullptr;
    const io_uring_cqe* completions_ = nullptr;
    std::uint32_t tail_ = 0;             // of the submission ring, which this side moves
    std::vector<io_uring_sqe> waiting_;  // while the submission ring is full
    Features features_;
    std::vector<Completion> taken_;  // as many as the ring holds
};

/// Says in words why there is no ring: the errors of io_uring_setup(2).
const std::error_category& ring_category() noexcept;

}  // namespace weir::net
