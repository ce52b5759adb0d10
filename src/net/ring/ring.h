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

/// io_uring(7): the program writes operations into one ring, and the kernel writes their results
/// into another ring. wait() submits the operations and waits for results, in one system call.
///
/// The number `about` of an operation comes back with each of its completions; cancel() finds the
/// operation by this number. Until its last completion, the kernel may use the memory and the
/// descriptor of an operation.
///
/// One thread uses a ring, from enable() on; another thread may have opened it.
class Ring {
   public:
    /// Features of rings, with the version of Linux that has them.
    struct Features {
        bool deferred_work =
            true;  // the kernel works for the ring in wait(), and nowhere else (6.1)
        bool receive_many = true;  // one operation receives again and again (6.0)
        bool send_quietly = true;  // a send that succeeds has no completion (6.1)
    };

    struct Completion {
        std::uint64_t about;
        int result;  // the result of the system call of the same name, or -errno
        std::uint32_t flags;

        /// True if the operation has ended.
        bool is_last() const noexcept { return (flags & IORING_CQE_F_MORE) == 0; }
        /// The buffer that holds the bytes (see BufferRing).
        std::optional<std::uint16_t> buffer() const noexcept {
            if ((flags & IORING_CQE_F_BUFFER) == 0) return std::nullopt;
            return static_cast<std::uint16_t>(flags >> IORING_CQE_BUFFER_SHIFT);
        }
    };

    /// Call it before all other functions. The arguments are the sizes of the two rings; further
    /// operations and completions are kept, but cost a system call or memory. Uses the features of
    /// `wanted` that the kernel has. The message() of an error gives the reason.
    std::error_code open(unsigned operations, unsigned completions, Features wanted);
    /// The thread that will use the ring must call it.
    std::error_code enable() noexcept;

    const Features& features() const noexcept { return features_; }
    int fd() const noexcept { return fd_.get(); }

    /// Receives until the end of the stream (a result of 0), an error, or until all buffers are in
    /// use (ENOBUFS). Each completion with bytes names a buffer of the group (see BufferRing).
    void receive_many(int socket, std::uint16_t buffer_group, std::uint64_t about);
    /// Sends the bytes that the socket takes without a wait, while wait() submits the operation. A
    /// completion comes only if these were not all bytes: with the number of sent bytes, or an
    /// error.
    void send_quietly(int socket, std::string_view bytes, std::uint64_t about);
    /// Completes once, when `fd` is ready for one of `events` (poll(2)).
    void poll(int fd, std::uint32_t events, std::uint64_t about);
    /// Ends the operation `about_what`, with ECANCELED unless it has ended before.
    void cancel(std::uint64_t about_what, std::uint64_t about);
    void no_operation(std::uint64_t about);

    /// Submits the operations, and returns as soon as there are completions; with none after
    /// `milliseconds` (-1: no limit). The span is valid until the next call.
    std::span<const Completion> wait(int milliseconds) noexcept;
    /// True if all operations were submitted, and wait() has returned all completions: a quiet send
    /// without a completion has then succeeded.
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
    std::uint32_t tail_ = 0;             // of the submission ring
    std::vector<io_uring_sqe> waiting_;  // operations for which the submission ring is too full
    Features features_;
    std::vector<Completion> taken_;  // as long as the completion ring
};

/// The errors of io_uring_setup(2), with sentences that explain why there is no ring.
const std::error_category& ring_category() noexcept;

}  // namespace weir::net
