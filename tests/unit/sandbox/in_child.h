#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "weir/sandbox/sandbox.h"

namespace weir::sandbox {

/// How a process of its own ended.
struct Ended {
    bool by_signal = false;
    int number = 0;  // of the signal, or the exit status

    bool operator==(const Ended&) const = default;
};

inline void PrintTo(const Ended& ended, std::ostream* out) {
    *out << (ended.by_signal ? "signal " : "status ") << ended.number;
}

inline Ended in_child(const std::function<int()>& run) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(run());
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFSIGNALED(status)) return {.by_signal = true, .number = WTERMSIG(status)};
    return {.by_signal = false, .number = WEXITSTATUS(status)};
}

/// The errno of a call, as an exit status; 0 if it succeeded.
inline int error_of(long result) { return result < 0 ? errno : 0; }

inline constexpr Ended success{};
inline Ended fails_with(int error) { return {.by_signal = false, .number = error}; }
inline Ended dies_of(int signal) { return {.by_signal = true, .number = signal}; }

inline bool has(const std::vector<std::string>& parts, const char* what) {
    return std::ranges::any_of(parts,
                               [&](const std::string& part) { return part.starts_with(what); });
}

/// Tries something in a process that has entered the sandbox.
class Sandboxed : public testing::Test {
   protected:
    Sandboxed() {
        std::string name = (std::filesystem::temp_directory_path() / "weir-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        folder = std::filesystem::canonical(name);
        for (const char* each : {"site", "log", "other"})
            std::filesystem::create_directory(folder / each);
        std::ofstream{folder / "site" / "page.html"} << "page";
        std::ofstream{folder / "other" / "secret"} << "secret";
        allowed.read = {folder / "site"};
        allowed.write = {folder / "log" / "access.log"};
    }
    ~Sandboxed() override { std::filesystem::remove_all(folder); }

    /// Skips the test where this kernel or build has no such limit.
    void require(const char* part) {
        const auto ended = in_child([&] { return has(enter(allowed).on, part) ? 0 : 1; });
        if (ended != success) GTEST_SKIP() << "no limits on " << part << " here";
    }

    Ended try_out(const std::function<int()>& attempt) const {
        return in_child([&] {
            enter(allowed);
            return attempt();
        });
    }

    Ended open(const std::filesystem::path& path, int flags) const {
        return try_out([&] { return error_of(::open(path.c_str(), flags, 0600)); });
    }

    std::filesystem::path folder;
    Allowed allowed;
};

}  // namespace weir::sandbox
