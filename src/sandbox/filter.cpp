#include "sandbox/filter.h"

#include <linux/audit.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "base/last_error.h"
#include "sandbox/calls.h"

namespace weir::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t first_of_x32 = 0x4000'0000;  // __X32_SYSCALL_BIT
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;  // the necessary calls are unknown there
#endif

constexpr std::uint32_t newest = SYS_set_mempolicy_home_node;  // of Linux 6.1

constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

/// Writes the few instructions of classic BPF that the filters consist of. Each comparison takes
/// the action for the case that it holds, so that a reader never has to count jumps.
class Builder {
   public:
    void load(std::size_t offset) {
        add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
    }
    void load_argument(unsigned index, bool upper_half = false) {
        const bool comes_second = upper_half == (std::endian::native == std::endian::little);
        load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t) +
             (comes_second ? sizeof(std::uint32_t) : 0));
    }
    void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
    void end(std::uint32_t action) { add(BPF_RET | BPF_K, action); }

    void if_equal(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        end(action);
    }
    void if_not(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        end(action);
    }
    void if_at_least(std::uint32_t value, std::uint32_t action) {
        add(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1);
        end(action);
    }
    /// If the loaded number is `number`, the program goes on with the instructions that `then`
    /// adds, which must end with end(). Otherwise the program skips them.
    template <typename Then>
    void if_call(std::uint32_t number, Then then) {
        const std::size_t at = program_.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 0);
        then();
        program_[at].jf = static_cast<std::uint8_t>(program_.size() - at - 1);
    }

    /// Ends programs of other architectures, because their calls have other numbers. Leaves the
    /// call's number loaded.
    void check_architecture() {
        load(offsetof(seccomp_data, arch));
        if_not(architecture, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
        if_at_least(first_of_x32, SECCOMP_RET_KILL_PROCESS);
#endif
    }

    Program take() { return std::move(program_); }

   private:
    void add(unsigned code, std::uint32_t value, std::uint8_t if_true = 0,
             std::uint8_t if_false = 0) {
        program_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
    }

    Program program_;
};

void add_check(Builder& builder, const Check& check) {
    if (check.is_pointer) {
        builder.load_argument(check.argument, true);
        builder.if_not(0, refuse);
    }
    builder.load_argument(check.argument);
    builder.mask(check.mask);
    for (unsigned i = 0; i < check.count; ++i) builder.if_equal(check.values[i], SECCOMP_RET_ALLOW);
    builder.end(refuse);
}

bool is_needed(const Call& call, const Allowed& allowed) {
    switch (call.needs) {
        case Needs::processes: return allowed.processes;
        case Needs::rings: return allowed.rings;
        case Needs::uploads: return !allowed.uploads.empty() || !allowed.folders.empty();
        case Needs::folders: return !allowed.folders.empty();
        case Needs::servers: return !allowed.ports.empty() || allowed.unix_sockets;
        case Needs::every_engine:
            // The check for processes allows threads, too.
            return call.number != SYS_clone || !allowed.processes;
        case Needs::seldom: return true;
    }
    return false;
}

void add_call(Builder& builder, const Call& call) {
    if (call.check.mask == 0) return builder.if_equal(call.number, SECCOMP_RET_ALLOW);
    builder.if_call(call.number, [&] { add_check(builder, call.check); });
}

}  // namespace

Program filter_for(const Allowed& allowed) {
    Builder builder;
    builder.check_architecture();
    for (const Call& call : allowed_calls())
        if (is_needed(call, allowed)) add_call(builder, call);
    for (const Call& call : hostile_calls())
        builder.if_equal(call.number, SECCOMP_RET_KILL_PROCESS);
    // A filter can't read the arguments of clone3(2), which lie in memory. After ENOSYS, libc calls
    // clone(2).
    builder.if_equal(SYS_clone3, unknown);
    builder.if_at_least(newest + 1, unknown);
    builder.end(refuse);
    return builder.take();
}

Program filter_against_rings() {
    Builder builder;
    builder.check_architecture();
    builder.if_equal(SYS_io_uring_setup, refuse);
    constexpr Check only_enabling{
        .argument = 1, .mask = ~std::uint32_t{0}, .values = {IORING_REGISTER_ENABLE_RINGS}};
    builder.if_call(SYS_io_uring_register, [&] { add_check(builder, only_enabling); });
    builder.end(SECCOMP_RET_ALLOW);
    return builder.take();
}

std::expected<void, std::string> install(std::span<sock_filter> program) {
    if (architecture == 0)
        return std::unexpected{"the list of calls is not known for this processor"};
    const sock_fprog what{.len = static_cast<unsigned short>(program.size()),
                          .filter = program.data()};
    // Without SPEC_ALLOW, Linux before 5.16 slows down the whole process, to prevent attacks by
    // foreign code that the process itself runs. weir runs no such code.
    constexpr unsigned long flags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    const auto result = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &what);
    if (result == 0) return {};
    if (result > 0) return std::unexpected{"another thread has a filter of its own"};
    if (errno == ENOSYS || errno == EINVAL)
        return std::unexpected{"this kernel has no seccomp filters"};
    return std::unexpected{"seccomp is forbidden here: " + last_error().message()};
}

}  // namespace weir::sandbox
