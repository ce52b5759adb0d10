#pragma once

#include <chrono>
#include <string>
#include <system_error>

#include "base/readable_time.h"
#include "net/child.h"
#include "net/system/system_limits.h"

/// The sentences in which a supervisor reports on its workers; `name` is "worker 2 (pid 4711)".
namespace weir::engines::worker_reports {

/// "1st", "2nd", "11th".
inline std::string ordinal(unsigned number) {
    const unsigned last = number / 10 % 10 == 1 ? 0 : number % 10;
    return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

inline std::string got_sigterm(const std::string& name) {
    return name + " got SIGTERM and finishes; starting another";
}

inline std::string died_while_finishing(const std::string& name, const net::Exit& exit) {
    return name + " " + exit.text() + " before finishing its requests";
}

inline std::string does_not_answer(const std::string& name, std::chrono::milliseconds timeout) {
    return name + " has not answered for " + readable_time(timeout) +
           ": it is stopped, or a handler blocks it; killing it";
}

/// `times` in a row; the next one is started after `delay`.
inline std::string died(const std::string& name, const net::Exit& exit,
                        std::chrono::milliseconds lived, unsigned times,
                        std::chrono::milliseconds delay) {
    std::string out = name + " " + exit.text() + " " + readable_time(lived) + " after its start";
    if (times > 1) out += ", the " + ordinal(times) + " time in a row";
    return out +
           (delay.count() == 0 ? "; starting another" : "; next try in " + readable_time(delay));
}

inline std::string cannot_start(const std::string& name, std::error_code error) {
    return net::with_limit(name + " cannot start", error) + ": " + error.message();
}

inline std::string cannot_start(const std::string& name, std::error_code error,
                                std::chrono::milliseconds delay) {
    return cannot_start(name, error) + "; next try in " + readable_time(delay);
}

}  // namespace weir::engines::worker_reports
