// record_calls REPORT COMMAND [argument...]: runs a command, and appends to the file REPORT each
// system call that it makes after it has entered the sandbox. A line is "NUMBER", "NUMBER refused"
// (it failed with EPERM) or "NUMBER unknown" (with ENOSYS). Each line is written once.
//
// record_calls --table: prints the sandbox's table, as "NUMBER NAME NEEDS" or "NUMBER NAME NEEDS
// checked".

#include <fcntl.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sandbox/calls.h"

namespace {

// <sys/ptrace.h> and <linux/ptrace.h> can't both be included, so the call is made by number.
long trace(int request, pid_t thread, std::uintptr_t address, std::uintptr_t data) {
    return ::syscall(SYS_ptrace, request, thread, address, data);
}

constexpr int of_call = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

/// Traces a process, and all threads and processes that it starts.
class Recorder {
   public:
    explicit Recorder(int report) : report_{report} {}

    bool attach(pid_t process) {
        constexpr auto options =
            PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
        return trace(PTRACE_SEIZE, process, 0, options) == 0 &&
               trace(PTRACE_INTERRUPT, process, 0, 0) == 0;
    }

    /// Returns when all of them have ended.
    void run() {
        int status = 0;
        for (pid_t thread = 0; (thread = ::waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;)
            if (thread > 0 && WIFSTOPPED(status)) stopped(thread, status);
    }

   private:
    void stopped(pid_t thread, int status) {
        const int signal = WSTOPSIG(status);
        const bool is_event = status >> 16 != 0;
        if (signal == of_call) note(thread);
        const bool pass_on = signal != of_call && !is_event;
        trace(PTRACE_SYSCALL, thread, 0, pass_on ? static_cast<unsigned>(signal) : 0U);
    }

    void note(pid_t thread) {
        ptrace_syscall_info info{};
        trace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info,
              reinterpret_cast<std::uintptr_t>(&info));
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
            entered_[thread] = info.entry.nr;
            if (locked_in_) write(info.entry.nr, "");
        } else if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
            const auto number = entered_[thread];
            if (locked_in_ && info.exit.rval == -EPERM) write(number, " refused");
            if (locked_in_ && info.exit.rval == -ENOSYS) write(number, " unknown");
            if (number == SYS_seccomp && info.exit.rval == 0) locked_in_ = true;
        }
    }

    void write(std::uint64_t number, const char* refused) {
        const std::string line = std::to_string(number) + refused + '\n';
        if (!written_.insert(line).second) return;
        if (::write(report_, line.data(), line.size()) < 0) std::abort();
    }

    int report_;
    bool locked_in_ = false;
    std::map<pid_t, std::uint64_t> entered_;  // the call that each thread is in
    std::set<std::string> written_;
};

/// The tracer is a child of the command, so that the command keeps the process that was started.
[[noreturn]] void record(pid_t command, int report, int ready) {
    Recorder recorder{report};
    const bool attached = recorder.attach(command);
    [[maybe_unused]] const auto written = ::write(ready, "", attached ? 1 : 0);
    ::close(ready);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
    if (attached) recorder.run();
    ::_exit(0);
}

int run_recorded(const char* report_path, char** command) {
    const int report = ::open(report_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    std::array<int, 2> ready{};
    if (report < 0 || ::pipe2(ready.data(), O_CLOEXEC) != 0) return 2;
    const pid_t self = ::getpid();
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // for Yama, where it guards ptrace(2)
    // Twice, so that the command has no child of its own that it did not start.
    if (::fork() == 0) {
        ::close(ready[0]);
        if (::fork() == 0) record(self, report, ready[1]);
        ::_exit(0);
    }
    ::wait(nullptr);
    ::close(ready[1]);
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) {
        std::fputs("ptrace(2) is forbidden here\n", stderr);
        return 77;
    }
    ::execv(command[0], command);
    return 2;
}

const char* name_of(weir::sandbox::Needs needs) {
    switch (needs) {
        case weir::sandbox::Needs::every_engine: return "every_engine";
        case weir::sandbox::Needs::processes: return "processes";
        case weir::sandbox::Needs::rings: return "rings";
        case weir::sandbox::Needs::uploads: return "uploads";
        case weir::sandbox::Needs::folders: return "folders";
        case weir::sandbox::Needs::servers: return "servers";
        case weir::sandbox::Needs::seldom: return "seldom";
    }
    return "";
}

int print_table() {
    for (const auto& call : weir::sandbox::allowed_calls())
        std::printf("%u %s %s%s\n", call.number, call.name.data(), name_of(call.needs),
                    call.check.mask == 0 ? "" : " checked");
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 2 && std::string{arguments[1]} == "--table") return print_table();
    if (count < 3) return 2;
    return run_recorded(arguments[1], arguments + 2);
}
