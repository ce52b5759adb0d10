#include "supervisor/handover.h"

#include <charconv>

namespace weir::supervisor {
namespace {

using std::string_view;

constexpr std::size_t text_bytes_max = 100'000;  // Linux takes 128 KB in a variable
constexpr int number_max = 1 << 30;

std::optional<int> read_number(string_view digits) {
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_whole = error == std::errc{} && end == digits.data() + digits.size();
    if (!is_whole || number < 0 || number > number_max) return std::nullopt;
    return number;
}

bool read_word(string_view word, Handover& handover) {
    const auto equals = word.find('=');
    if (equals == string_view::npos) return false;
    const auto key = word.substr(0, equals);
    const auto number = read_number(word.substr(equals + 1));
    if (!number) return false;
    if (key == "number") {
        handover.number = static_cast<unsigned>(*number);
    } else if (key == "channel") {
        handover.channel = *number;
    } else if (key == "settings") {
        handover.settings = *number;
    } else if (key == "tickets") {
        handover.tickets = *number;
    } else if (key == "counters") {
        handover.counters = *number;
    } else if (key == "socket") {
        handover.sockets.push_back(*number);
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
    std::string text{handover_version};
    append(text, "number", handover.number);
    if (handover.channel >= 0) append(text, "channel", handover.channel);
    if (handover.settings >= 0) append(text, "settings", handover.settings);
    if (handover.tickets >= 0) append(text, "tickets", handover.tickets);
    if (handover.counters >= 0) append(text, "counters", handover.counters);
    for (const int socket : handover.sockets) append(text, "socket", socket);
    return text;
}

std::optional<Handover> read_handover(string_view text) {
    if (text.size() > text_bytes_max || !text.starts_with(handover_version)) return std::nullopt;
    text.remove_prefix(handover_version.size());
    Handover handover;
    while (!text.empty()) {
        if (text.front() != ' ') return std::nullopt;
        text.remove_prefix(1);
        const auto word = text.substr(0, text.find(' '));
        if (!read_word(word, handover)) return std::nullopt;
        text.remove_prefix(word.size());
    }
    return handover;
}

}  // namespace weir::supervisor
