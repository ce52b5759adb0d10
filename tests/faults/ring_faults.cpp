#include "faults/ring_faults.h"

#include <atomic>
#include <cerrno>

#include "faults/injector.h"

namespace weir::tests {
namespace {

std::uint32_t load(char* rings, std::uint32_t offset) {
    return std::atomic_ref{*reinterpret_cast<std::uint32_t*>(rings + offset)}.load();
}

Call call_of(const io_uring_sqe& operation) {
    switch (operation.opcode) {
        case IORING_OP_RECV: return Call::ring_receive;
        case IORING_OP_SEND: return Call::ring_send;
        case IORING_OP_POLL_ADD: return Call::ring_poll;
        default: return Call::count;
    }
}

}  // namespace

void RingFaults::made(int ring, const io_uring_params& params) {
    const std::scoped_lock lock{mutex_};
    rings_[ring] = {.params = params, .failing = {}};
}

void RingFaults::mapped(int ring, off_t part, void* memory) {
    const std::scoped_lock lock{mutex_};
    const auto found = rings_.find(ring);
    if (found == rings_.end()) return;
    if (part == IORING_OFF_SQ_RING) found->second.rings = static_cast<char*>(memory);
    if (part == off_t{IORING_OFF_SQES})
        found->second.operations = static_cast<io_uring_sqe*>(memory);
}

void RingFaults::closed(int fd) {
    const std::scoped_lock lock{mutex_};
    rings_.erase(fd);
}

void RingFaults::submits(int ring, std::uint32_t count) {
    const std::scoped_lock lock{mutex_};
    Ring& of = rings_.at(ring);
    const std::uint32_t head = load(of.rings, of.params.sq_off.head);
    for (std::uint32_t at = head; at != head + count; ++at) {
        io_uring_sqe& operation = of.operations[at % of.params.sq_entries];
        const Call call = call_of(operation);
        const int error = call == Call::count ? 0 : Injector::only().next(call);
        if (error == 0) continue;
        operation.fd = -1;
        of.failing[operation.user_data] = error;
    }
}

void RingFaults::has_completed(int ring) {
    const std::scoped_lock lock{mutex_};
    Ring& of = rings_.at(ring);
    auto* const completions = reinterpret_cast<io_uring_cqe*>(of.rings + of.params.cq_off.cqes);
    const std::uint32_t tail = load(of.rings, of.params.cq_off.tail);
    for (std::uint32_t at = load(of.rings, of.params.cq_off.head); at != tail; ++at) {
        io_uring_cqe& completion = completions[at % of.params.cq_entries];
        if (completion.res != -EBADF) continue;
        const auto found = of.failing.find(completion.user_data);
        if (found == of.failing.end()) continue;
        completion.res = -found->second;
        of.failing.erase(found);
    }
}

}  // namespace weir::tests
