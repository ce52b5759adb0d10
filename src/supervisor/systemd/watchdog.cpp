#include "supervisor/systemd/watchdog.h"

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace weir::supervisor {
namespace {

using std::chrono::microseconds;

constexpr const char* time_variable = "WATCHDOG_USEC";
constexpr const char* pid_variable = "WATCHDOG_PID";

std::optional<std::int64_t> read_number(std::string_view digits) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

}  // namespace

microseconds read_watchdog(const char* text, const char* pid, pid_t own) {
    constexpr std::int64_t a_year = 31'536'000'000'000;
    if (!text || (pid && read_number(pid) != own)) return microseconds{0};
    const auto time = read_number(text);
    return microseconds{time && *time > 0 && *time < a_year ? *time : 0};
}

// NOLINTBEGIN(concurrency-mt-unsafe): the process has one thread
microseconds take_watchdog() {
    const auto time =
        read_watchdog(std::getenv(time_variable), std::getenv(pid_variable), ::getpid());
    for (const char* const each : {time_variable, pid_variable}) ::unsetenv(each);
    return time;
}

bool pass_on_watchdog(microseconds watchdog) {
    if (watchdog.count() == 0) return true;
    return ::setenv(time_variable, std::to_string(watchdog.count()).c_str(), 1) == 0 &&
           ::setenv(pid_variable, std::to_string(::getpid()).c_str(), 1) == 0;
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace weir::supervisor
