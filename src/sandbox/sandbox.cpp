#include "weir/sandbox/sandbox.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "sandbox/filter.h"
#include "sandbox/landlock.h"

namespace weir::sandbox {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_sanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool has_sanitizer = true;
#else
constexpr bool has_sanitizer = false;
#endif
#else
constexpr bool has_sanitizer = false;
#endif

constexpr const char* privileges = "new privileges";
constexpr const char* capabilities = "capabilities";
constexpr const char* core_files = "core files";
constexpr const char* files = "files";
constexpr const char* calls = "system calls";

// Made in advance for close_rings(), which must not allocate memory.
Program against_rings;
std::atomic<bool> can_make_rings{false};  // under a filter that allows it

/// The reason why neither Landlock nor seccomp can be used; empty if they can.
std::string obstacle() {
    if (has_sanitizer) return "a sanitizer in this build makes calls of its own";
    std::error_code error;
    const std::filesystem::directory_iterator threads{"/proc/self/task", error};
    if (!error && std::distance(begin(threads), end(threads)) > 1)
        return "the program has started threads already";
    return {};
}

/// Keeps the capabilities that let the process read files, if root or systemd gave them. The
/// process needed the others only to bind.
bool drop_capabilities() {
    constexpr std::uint32_t kept = 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH;
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
    if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
    const std::uint32_t left = sets[0].permitted & kept;
    sets = {};
    sets[0].permitted = sets[0].effective = left;
    return ::syscall(SYS_capset, &header, sets.data()) == 0;
}

bool forbid_core_files() {
    const rlimit none{.rlim_cur = 0, .rlim_max = 0};
    return ::setrlimit(RLIMIT_CORE, &none) == 0;
}

class Entering {
   public:
    explicit Entering(const Allowed& allowed) : allowed_{allowed} {}

    Report all() {
        note(privileges, ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
        note(capabilities, drop_capabilities());
        note(core_files, forbid_core_files());
        if (const auto why = obstacle(); !why.empty()) {
            leave_out(files, why);
            leave_out(calls, why);
            return std::move(report_);
        }
        restrict_file_access();
        restrict_calls();
        return std::move(report_);
    }

   private:
    void restrict_file_access() {
        Allowed with_system = allowed_;
        with_system.read.emplace_back("/dev/urandom");  // for processors without random numbers
        if (const auto abi = restrict_files(with_system)) {
            report_.on.push_back(std::string{files} + " (Landlock, ABI " + std::to_string(*abi) +
                                 ")");
        } else {
            leave_out(files, abi.error());
        }
    }

    void restrict_calls() {
        ::tzset();  // otherwise, the first line of a log would read /etc/localtime
        Program program = filter_for(allowed_);
        against_rings = filter_against_rings();
        if (const auto installed = install(program)) {
            can_make_rings.store(allowed_.rings);
            report_.on.push_back(std::string{calls} + " (seccomp)");
        } else {
            leave_out(calls, installed.error());
        }
    }

    void note(const char* what, bool done) {
        if (done) return report_.on.emplace_back(what), void();
        leave_out(what, "the system refuses it");
    }
    void leave_out(const std::string& what, const std::string& why) {
        report_.off.push_back(what + ": " + why);
    }

    const Allowed& allowed_;
    Report report_;
};

}  // namespace

Report enter(const Allowed& allowed) { return Entering{allowed}.all(); }

void close_rings() noexcept {
    if (!can_make_rings.exchange(false)) return;
    static_cast<void>(install(against_rings));
}

}  // namespace weir::sandbox
