#include "supervisor/handover.h"

#include <array>
#include <charconv>
#include <concepts>
#include <ranges>
#include <utility>

namespace weir::supervisor {
namespace {

using std::string_view;

constexpr std::size_t text_bytes_max = 100'000;  // Linux takes 128 KB in a variable
constexpr int descriptor_max = 1 << 30;

template <std::integral Number>
std::optional<Number> read_number(string_view digits, Number max) {
    Number number{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_whole = error == std::errc{} && end == digits.data() + digits.size();
    if (!is_whole || number < 0 || number > max) return std::nullopt;
    return number;
}

std::optional<int> read_descriptor(string_view text) { return read_number(text, descriptor_max); }

/// "2:4711:9:10000:1": number, pid, channel, milliseconds, whether it serves.
std::optional<Handover::Process> read_process(string_view text) {
    constexpr std::size_t parts_wanted = 5;
    constexpr long part_max = 1L << 40;
    std::array<long, parts_wanted> parts{};
    std::size_t count = 0;
    for (const auto part : std::views::split(text, ':')) {
        const auto number = read_number(string_view{part}, part_max);
        if (!number || count == parts_wanted) return std::nullopt;
        parts[count++] = *number;
    }
    const bool is_possible = count == parts_wanted && parts[0] < descriptor_max && parts[1] > 1 &&
                             parts[1] < descriptor_max && parts[2] <= descriptor_max;
    if (!is_possible || parts[4] > 1) return std::nullopt;
    return Handover::Process{.number = static_cast<unsigned>(parts[0]),
                             .pid = static_cast<pid_t>(parts[1]),
                             .channel = static_cast<int>(parts[2]),
                             .stops_within = std::chrono::milliseconds{parts[3]},
                             .serves = parts[4] == 1};
}

bool read_word(string_view key, string_view value, Handover& handover) {
    if (key == "process") {
        const auto process = read_process(value);
        if (process) handover.processes.push_back(*process);
        return process.has_value();
    }
    const auto number = read_descriptor(value);
    if (!number) return false;
    if (key == "number") {
        handover.number = static_cast<unsigned>(*number);
    } else if (key == "channel") {
        handover.channel = *number;
    } else if (key == "control") {
        handover.control = *number;
    } else if (key == "socket") {
        handover.sockets.push_back(*number);
    } else if (key == "activated" || key == "redirect") {
        handover.activated.push_back({.fd = *number, .redirects = key == "redirect"});
    } else {
        return false;
    }
    return true;
}

void append(std::string& text, string_view key, long number) {
    text.append(" ").append(key).append("=").append(std::to_string(number));
}

}  // namespace

std::string write_handover(const Handover& handover) {
    std::string text = std::to_string(handover_version);
    append(text, "number", handover.number);
    if (handover.channel >= 0) append(text, "channel", handover.channel);
    if (handover.control >= 0) append(text, "control", handover.control);
    for (const int socket : handover.sockets) append(text, "socket", socket);
    for (const Activated& each : handover.activated)
        append(text, each.redirects ? "redirect" : "activated", each.fd);
    for (const Handover::Process& each : handover.processes) {
        append(text, "process", each.number);
        for (const long part :
             {static_cast<long>(each.pid), static_cast<long>(each.channel),
              static_cast<long>(each.stops_within.count()), each.serves ? 1L : 0L})
            text.append(":").append(std::to_string(part));
    }
    return text;
}

std::optional<Handover> read_handover(string_view text) {
    if (text.size() > text_bytes_max) return std::nullopt;
    Handover handover;
    bool is_first = true;
    for (const auto each : std::views::split(text, ' ')) {
        const string_view word{each};
        if (std::exchange(is_first, false)) {
            if (word != std::to_string(handover_version)) return std::nullopt;
            continue;
        }
        const auto equals = word.find('=');
        if (equals == word.npos) return std::nullopt;
        if (!read_word(word.substr(0, equals), word.substr(equals + 1), handover))
            return std::nullopt;
    }
    if (is_first) return std::nullopt;
    return handover;
}

}  // namespace weir::supervisor
