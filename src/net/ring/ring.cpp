#include "net/ring/ring.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>

namespace weir::net {
namespace {

class RingCategory final : public std::error_category {
   public:
    const char* name() const noexcept override { return "io_uring"; }
    std::string message(int error) const override {
        switch (error) {
            case ENOSYS: return "this kernel has no io_uring";
            case EPERM:
            case EACCES:
                return "io_uring is forbidden here (by kernel.io_uring_disabled, a seccomp filter, "
                       "or a security module)";
            case EOPNOTSUPP: return "this kernel's io_uring is too old: 5.11 is needed";
            case ENOMEM:
                return "not enough memory for io_uring, or the limit on locked memory is too low: "
                       "raise it with ulimit -l 8192 (as root), or LimitMEMLOCK=8M in the unit";
            default: return "no io_uring: " + std::generic_category().message(error);
        }
    }
    std::error_condition default_error_condition(int error) const noexcept override {
        return {error, std::generic_category()};
    }
};

std::error_code ring_error(int error) { return {error, ring_category()}; }

// With either set of flags, the kernel does its work for the ring on the thread that uses the ring,
// without interrupting this thread.
constexpr std::uint32_t deferred = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;
constexpr std::uint32_t cooperative = IORING_SETUP_COOP_TASKRUN;

UniqueFd set_up(unsigned operations, io_uring_params& params, std::uint32_t flags,
                unsigned completions) noexcept {
    params = {};
    // The ring is disabled at first, because only then the kernel accepts restrictions.
    params.flags = flags | IORING_SETUP_R_DISABLED | IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
    params.cq_entries = completions;
    return UniqueFd{static_cast<int>(::syscall(SYS_io_uring_setup, operations, &params))};
}

template <typename Integer>
std::uint32_t load(Integer* value) noexcept {
    return std::atomic_ref{*value}.load(std::memory_order_acquire);
}

void store(std::uint32_t* value, std::uint32_t wanted) noexcept {
    std::atomic_ref{*value}.store(wanted, std::memory_order_release);
}

}  // namespace

const std::error_category& ring_category() noexcept {
    static const RingCategory category;
    return category;
}

// ---- setting up ----

std::error_code Ring::open(unsigned operations, unsigned completions, Features wanted) {
    features_ = wanted;
    // Tries the best flags first. The kernel returns EINVAL for flags that it does not know.
    io_uring_params params;
    if (wanted.deferred_work)
        fd_ = set_up(operations, params, deferred | IORING_SETUP_SUBMIT_ALL, completions);
    if (!fd_) {
        features_.deferred_work = false;
        fd_ = set_up(operations, params, cooperative | IORING_SETUP_SUBMIT_ALL, completions);
    }
    if (!fd_ && errno == EINVAL) fd_ = set_up(operations, params, 0, completions);
    if (!fd_) return ring_error(errno);
    features_.send_quietly = wanted.send_quietly && features_.deferred_work;

    constexpr std::uint32_t needed = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP |
                                     IORING_FEAT_SUBMIT_STABLE | IORING_FEAT_FAST_POLL |
                                     IORING_FEAT_EXT_ARG;
    if ((params.features & needed) != needed) return ring_error(EOPNOTSUPP);
    if (const auto error = map(params)) return error;
    if (const auto error = probe(wanted)) return error;
    return restrict();
}

std::error_code Ring::map(const io_uring_params& params) {
    const std::size_t submission_bytes =
        params.sq_off.array + params.sq_entries * sizeof(std::uint32_t);
    const std::size_t completion_bytes =
        params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe);
    rings_ =
        Mapping::of(fd_.get(), std::max(submission_bytes, completion_bytes), IORING_OFF_SQ_RING);
    operations_memory_ =
        Mapping::of(fd_.get(), params.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
    if (!rings_ || !operations_memory_) return ring_error(errno);
    submission_ = {rings_.at<std::uint32_t>(params.sq_off.head),
                   rings_.at<std::uint32_t>(params.sq_off.tail), params.sq_entries - 1,
                   params.sq_entries};
    completion_ = {rings_.at<std::uint32_t>(params.cq_off.head),
                   rings_.at<std::uint32_t>(params.cq_off.tail), params.cq_entries - 1,
                   params.cq_entries};
    submission_flags_ = rings_.at<std::uint32_t>(params.sq_off.flags);
    operations_ = operations_memory_.at<io_uring_sqe>(0);
    completions_ = rings_.at<const io_uring_cqe>(params.cq_off.cqes);
    taken_.resize(params.cq_entries);
    waiting_.reserve(params.cq_entries);  // needed when the kernel has no memory: allocate it early
    // The array is an indirection that weir does not need: place N always holds operation N.
    auto* const places = rings_.at<std::uint32_t>(params.sq_off.array);
    for (std::uint32_t place = 0; place < params.sq_entries; ++place) places[place] = place;
    return {};
}

/// The kernel reports its operations, but not their variants. So probe() looks for another
/// operation that came with the same kernel version.
std::error_code Ring::probe(Features wanted) {
    constexpr std::size_t operations_max = 256;
    struct alignas(io_uring_probe) Answer {
        std::array<char, sizeof(io_uring_probe) + operations_max * sizeof(io_uring_probe_op)>
            memory;
    };
    const auto answer = std::make_unique<Answer>();
    auto* const known = reinterpret_cast<io_uring_probe*>(answer->memory.data());
    if (::syscall(SYS_io_uring_register, fd_.get(), IORING_REGISTER_PROBE, known, operations_max) <
        0)
        return ring_error(errno);
    const auto has = [known](unsigned opcode) {
        return opcode < known->ops_len && (known->ops[opcode].flags & IO_URING_OP_SUPPORTED) != 0;
    };
    features_.receive_many = wanted.receive_many && has(IORING_OP_SEND_ZC);
    return {};
}

/// From enable() on, the ring takes only the operations below. So an intruder can't use it to open
/// files or connect, which the filter for system calls would not see.
std::error_code Ring::restrict() noexcept {
    std::array<io_uring_restriction, 6> allowed{};
    auto* next = allowed.data();
    for (const auto opcode : {IORING_OP_RECV, IORING_OP_SEND, IORING_OP_POLL_ADD,
                              IORING_OP_ASYNC_CANCEL, IORING_OP_NOP}) {
        next->opcode = IORING_RESTRICTION_SQE_OP;
        (next++)->sqe_op = static_cast<std::uint8_t>(opcode);
    }
    next->opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED;
    next->sqe_flags = IOSQE_BUFFER_SELECT | IOSQE_CQE_SKIP_SUCCESS;
    if (::syscall(SYS_io_uring_register, fd_.get(), IORING_REGISTER_RESTRICTIONS, allowed.data(),
                  allowed.size()) < 0)
        return ring_error(errno);
    return {};
}

std::error_code Ring::enable() noexcept {
    if (::syscall(SYS_io_uring_register, fd_.get(), IORING_REGISTER_ENABLE_RINGS, nullptr, 0) < 0)
        return ring_error(errno);
    return {};
}

// ---- operations ----

void Ring::receive_many(int socket, std::uint16_t buffer_group, std::uint64_t about) {
    io_uring_sqe& made = add(IORING_OP_RECV, socket, about);
    made.flags = IOSQE_BUFFER_SELECT;
    made.ioprio = IORING_RECV_MULTISHOT;
    made.buf_group = buffer_group;
}

// MSG_WAITALL makes a send fail if the socket did not take all bytes, so that a completion comes.
void Ring::send_quietly(int socket, std::string_view bytes, std::uint64_t about) {
    io_uring_sqe& made = add(IORING_OP_SEND, socket, about);
    made.addr = reinterpret_cast<std::uint64_t>(bytes.data());
    made.len = static_cast<std::uint32_t>(bytes.size());
    made.msg_flags = MSG_NOSIGNAL | MSG_DONTWAIT | MSG_WAITALL;
    made.flags = IOSQE_CQE_SKIP_SUCCESS;
}

void Ring::poll(int fd, std::uint32_t events, std::uint64_t about) {
    io_uring_sqe& made = add(IORING_OP_POLL_ADD, fd, about);
    made.poll32_events = std::endian::native == std::endian::little
                             ? events
                             : events << 16 | events >> 16;  // word-reversed
}

void Ring::cancel(std::uint64_t about_what, std::uint64_t about) {
    add(IORING_OP_ASYNC_CANCEL, -1, about).addr = about_what;
}

void Ring::no_operation(std::uint64_t about) { add(IORING_OP_NOP, -1, about); }

// ---- to the kernel and back ----

io_uring_sqe& Ring::add(std::uint8_t opcode, int fd, std::uint64_t about) {
    io_uring_sqe& made = place();
    made = {};
    made.opcode = opcode;
    made.fd = fd;
    made.user_data = about;
    return made;
}

io_uring_sqe& Ring::place() {
    if (waiting_.empty() && is_full()) enter(0, 0);
    if (waiting_.empty() && !is_full()) return operations_[tail_++ & submission_.mask];
    return waiting_
        .emplace_back();  // the kernel took no operation (no memory): the next wait() tries again
}

bool Ring::is_full() const noexcept {
    return tail_ - load(submission_.head) == submission_.entries;
}

void Ring::put_waiting() {
    std::size_t count = 0;
    while (count < waiting_.size() && !is_full())
        operations_[tail_++ & submission_.mask] = waiting_[count++];
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
}

/// If it fails, the operations are still in the ring. An interrupted wait may fail, or look like
/// one whose time is over. `milliseconds` matters only if `completions_min` is not 0.
int Ring::enter(unsigned completions_min, int milliseconds) noexcept {
    const __kernel_timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000LL};
    io_uring_getevents_arg argument{};
    if (milliseconds >= 0) argument.ts = reinterpret_cast<std::uint64_t>(&time);
    store(submission_.tail, tail_);
    // GETEVENTS is needed even without a wait: only then the kernel does its deferred work, and
    // moves overflowed completions into the ring.
    return static_cast<int>(
        ::syscall(SYS_io_uring_enter, fd_.get(), tail_ - load(submission_.head), completions_min,
                  IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &argument, sizeof argument));
}

std::span<const Ring::Completion> Ring::wait(int milliseconds) noexcept {
    if (!waiting_.empty()) put_waiting();
    const bool has_some = load(completion_.tail) != *completion_.head;
    const bool has_to_submit = tail_ != load(submission_.head);
    if (!has_some || has_to_submit) {
        const bool waits = !has_some && milliseconds != 0;
        const int entered = enter(waits ? 1 : 0, milliseconds);
        const bool is_over = entered < 0 && errno == ETIME;
        // The process may have been stopped. Completions of that time are not in the ring yet.
        if (waits && !is_over && load(completion_.tail) == *completion_.head)
            enter(0, milliseconds);
    }
    return take();
}

bool Ring::is_drained() const noexcept {
    return waiting_.empty() && tail_ == load(submission_.head) &&
           load(completion_.tail) == *completion_.head &&
           (load(submission_flags_) & IORING_SQ_CQ_OVERFLOW) == 0;
}

std::span<const Ring::Completion> Ring::take() noexcept {
    const std::uint32_t head = *completion_.head;
    const std::uint32_t count = load(completion_.tail) - head;
    for (std::uint32_t i = 0; i < count; ++i) {
        const io_uring_cqe& completion = completions_[(head + i) & completion_.mask];
        taken_[i] = {completion.user_data, completion.res, completion.flags};
    }
    store(completion_.head, head + count);
    return {taken_.data(), count};
}

}  // namespace weir::net
