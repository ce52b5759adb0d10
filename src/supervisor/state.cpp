#include "supervisor/state.h"

#include <charconv>
#include <cstdint>
#include <utility>

namespace weir::supervisor {
namespace {

using std::string_view;
using std::chrono::milliseconds;

// A field is "key=value", and a NUL ends it: a path may contain every other byte.
constexpr char end_of_field = '\0';

void append(std::string& text, string_view key, string_view value) {
    text.append(key).append("=").append(value) += end_of_field;
}

void append(std::string& text, string_view key, std::int64_t number) {
    append(text, key, std::to_string(number));
}

void append(std::string& text, string_view key, const KeptClient& client) {
    append(text, key, std::to_string(client.socket) + ' ' + client.text);
}

void append(std::string& text, string_view key, const KeptGeneration& each) {
    std::string value;
    for (const std::int64_t number :
         {std::int64_t{each.number}, std::int64_t{each.pid}, std::int64_t{each.channel},
          std::int64_t{each.pidfd}, std::int64_t{each.settings},
          std::int64_t{each.stops_within.count()}, std::int64_t{each.lived.count()},
          std::int64_t{each.kill_in.value_or(milliseconds{-1}).count()}})
        value.append(std::to_string(number)) += ' ';
    append(text, key, value + each.version);
}

/// Reads numbers and a text, with a space after each number. A fault stays until is_good() is read.
class Words {
   public:
    explicit Words(string_view text) noexcept : rest_{text} {}

    template <class Number>
    void take(Number& number) noexcept {
        const auto* const last = rest_.data() + rest_.size();
        const auto [end, error] = std::from_chars(rest_.data(), last, number);
        is_good_ = is_good_ && error == std::errc{};
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    }
    void skip_space() noexcept {
        is_good_ = is_good_ && rest_.starts_with(' ');
        if (is_good_) rest_.remove_prefix(1);
    }
    string_view rest() const noexcept { return rest_; }
    bool is_good() const noexcept { return is_good_; }
    bool is_over() const noexcept { return is_good_ && rest_.empty(); }

   private:
    string_view rest_;
    bool is_good_ = true;
};

template <class Number>
bool read_number(string_view value, Number& number) {
    Words words{value};
    words.take(number);
    return words.is_over();
}

bool read_time(string_view value, milliseconds& time) {
    std::int64_t count = 0;
    const bool is_good = read_number(value, count) && count >= 0;
    time = milliseconds{count};
    return is_good;
}

bool read_watchdog_period(string_view value, std::chrono::microseconds& period) {
    std::int64_t count = 0;
    const bool is_good = read_number(value, count) && count >= 0;
    period = std::chrono::microseconds{count};
    return is_good;
}

bool read_client(string_view value, std::vector<KeptClient>& clients) {
    KeptClient client;
    Words words{value};
    words.take(client.socket);
    words.skip_space();
    client.text = words.rest();
    clients.push_back(std::move(client));
    return words.is_good();
}

bool read_generation(string_view value, KeptGeneration& generation) {
    Words words{value};
    std::int64_t stops_within = 0, lived = 0, kill_in = 0;
    const auto take = [&words](auto&... numbers) {
        ((words.take(numbers), words.skip_space()), ...);
    };
    take(generation.number, generation.pid, generation.channel, generation.pidfd,
         generation.settings, stops_within, lived, kill_in);
    generation.stops_within = milliseconds{stops_within};
    generation.lived = milliseconds{lived};
    if (kill_in >= 0) generation.kill_in = milliseconds{kill_in};
    generation.version = words.rest();
    return words.is_good();
}

bool read_part(string_view key, string_view value, State& state) {
    if (key == "socket") return read_number(value, state.sockets.emplace_back());
    if (key == "serving") return read_generation(value, state.serving.emplace());
    if (key == "finishing") return read_generation(value, state.finishing.emplace_back());
    if (key == "caller") return read_client(value, state.callers);
    if (key == "waiting") return read_client(value, state.waiting);
    if (key == "passed") return read_client(value, state.passed);
    if (key != "upgraded") return false;
    std::vector<KeptClient> one;
    const bool is_good = read_client(value, one);
    state.upgraded = std::move(one.front());
    return is_good;
}

bool read_field(string_view key, string_view value, State& state) {
    if (key == "pid") return read_number(value, state.pid);
    if (key == "command") return state.command = value, true;
    if (key == "path") return state.path = value, true;
    if (key == "control") return state.control = value, true;
    if (key == "control-socket") return read_number(value, state.control_socket);
    if (key == "ready-timeout") return read_time(value, state.ready_timeout);
    if (key == "stops-within") return read_time(value, state.stops_within);
    if (key == "outlives-terminal") return state.outlives_terminal = value == "1", true;
    if (key == "number") return read_number(value, state.number);
    if (key == "tickets") return read_number(value, state.tickets);
    if (key == "counters") return read_number(value, state.counters);
    if (key == "notifier") return read_number(value, state.notifier);
    if (key == "watchdog") return read_watchdog_period(value, state.watchdog);
    return read_part(key, value, state);
}

/// Removes the field from the text; nothing if no NUL ends it.
std::optional<string_view> take_field(string_view& text) {
    const auto end = text.find(end_of_field);
    if (end == string_view::npos) return std::nullopt;
    const auto field = text.substr(0, end);
    text.remove_prefix(end + 1);
    return field;
}

}  // namespace

std::string write_state(const State& state) {
    std::string text{state_version};
    text += end_of_field;
    append(text, "pid", state.pid);
    append(text, "command", state.command);
    append(text, "path", state.path);
    append(text, "control", state.control);
    append(text, "control-socket", state.control_socket);
    append(text, "ready-timeout", state.ready_timeout.count());
    append(text, "stops-within", state.stops_within.count());
    append(text, "outlives-terminal", state.outlives_terminal ? 1 : 0);
    append(text, "number", state.number);
    append(text, "tickets", state.tickets);
    append(text, "counters", state.counters);
    append(text, "notifier", state.notifier);
    append(text, "watchdog", state.watchdog.count());
    for (const KeptClient& each : state.passed) append(text, "passed", each);
    for (const int socket : state.sockets) append(text, "socket", socket);
    if (state.serving) append(text, "serving", *state.serving);
    for (const KeptGeneration& each : state.finishing) append(text, "finishing", each);
    for (const KeptClient& each : state.callers) append(text, "caller", each);
    for (const KeptClient& each : state.waiting) append(text, "waiting", each);
    if (state.upgraded) append(text, "upgraded", *state.upgraded);
    return text;
}

std::optional<State> read_state(string_view text) {
    if (take_field(text) != state_version) return std::nullopt;
    State state;
    while (!text.empty()) {
        const auto field = take_field(text);
        const auto equals = field ? field->find('=') : string_view::npos;
        if (equals == string_view::npos) return std::nullopt;
        if (!read_field(field->substr(0, equals), field->substr(equals + 1), state))
            return std::nullopt;
    }
    return state;
}

std::vector<int> descriptors_in(const State& state) {
    std::vector<int> all = state.sockets;
    const auto add = [&all](auto... fds) { ((fds >= 0 ? all.push_back(fds) : void()), ...); };
    const auto add_of = [&add](const KeptGeneration& each) {
        add(each.channel, each.pidfd, each.settings);
    };
    add(state.control_socket, state.tickets, state.counters, state.notifier);
    for (const KeptClient& each : state.passed) add(each.socket);
    if (state.serving) add_of(*state.serving);
    for (const KeptGeneration& each : state.finishing) add_of(each);
    for (const KeptClient& each : state.callers) add(each.socket);
    for (const KeptClient& each : state.waiting) add(each.socket);
    if (state.upgraded) add(state.upgraded->socket);
    return all;
}

}  // namespace weir::supervisor
