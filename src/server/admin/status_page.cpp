#include "server/admin/status_page.h"

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

#include "base/troubles.h"
#include "server/admin/trouble_names.h"
#include "server/log_escape.h"

namespace weir::server {
namespace {

/// Writes the members of JSON objects, one after the other.
class Json {
   public:
    void key(std::string_view name) {
        separate();
        text(name);
        out_ += ':';
        begins_ = true;
    }
    void open(char bracket) {
        separate();
        out_ += bracket;
        begins_ = true;
    }
    void close(char bracket) {
        out_ += bracket;
        begins_ = false;
    }
    void value(std::string_view words) {
        separate();
        text(words);
    }
    void value(bool truth) { raw(truth ? "true" : "false"); }
    void value(std::uint64_t number) { raw(std::to_string(number)); }

    template <typename Value>
    void member(std::string_view name, const Value& its) {
        key(name);
        value(its);
    }
    std::string take() { return std::move(out_); }

   private:
    void separate() {
        if (!begins_) out_ += ',';
        begins_ = false;
    }
    void raw(std::string_view literal) {
        separate();
        out_ += literal;
    }
    void text(std::string_view words) {
        out_ += '"';
        append_escaped(out_, words, Escape::json);
        out_ += '"';
    }

    std::string out_;
    bool begins_ = true;  // nothing stands before in the same object or array
};

void add_requests(Json& json, const Totals& totals) {
    json.key("requests");
    json.open('{');
    for (std::size_t status = 0; status < status_classes.size(); ++status) {
        std::uint64_t all = 0;
        for (const auto& of_protocol : totals.answers) all += of_protocol[status].duration.values();
        json.member(status_classes[status], all);
    }
    json.close('}');
}

void add_loops(Json& json, const Facts& facts) {
    json.key("loops");
    json.open('[');
    for (const Totals::Loop& loop : facts.totals.loops) {
        const bool waits = loop.turn_began == Instant{} || loop.turn_began > facts.now.instant;
        const auto in_turn =
            waits ? std::chrono::milliseconds{0} : facts.now.instant - loop.turn_began;
        json.open('{');
        json.member("loop", std::uint64_t{loop.number});
        json.member("turns", loop.turns.values());
        json.member("busy_ms", loop.turns.sum);
        json.member("in_turn_for_ms", static_cast<std::uint64_t>(in_turn.count()));
        json.close('}');
    }
    json.close(']');
}

void add_troubles(Json& json) {
    json.key("troubles");
    json.open('{');
    for (std::size_t kind = 0; kind < trouble_names.size(); ++kind)
        json.member(trouble_names[kind], troubles().count(static_cast<Trouble>(kind)));
    json.close('}');
}

std::string_view state_of(const Facts& facts) {
    if (!facts.state.is_serving) return "draining";
    return facts.has_stuck_loop() ? "stuck" : "serving";
}

}  // namespace

std::string status_page(const Facts& facts) {
    const double uptime =
        static_cast<double>(facts.now.unix_seconds) - facts.process.start_unix_seconds;
    std::uint64_t accepted = 0;
    for (const auto each : facts.totals.accepted) accepted += each;
    Json json;
    json.open('{');
    json.member("version", std::string_view{facts.about.version});
    json.member("engine", std::string_view{facts.about.engine});
    json.member("workers", std::uint64_t{facts.about.workers});
    json.member("state", state_of(facts));
    json.member("uptime_seconds", static_cast<std::uint64_t>(uptime > 0 ? uptime : 0));
    json.key("addresses");
    json.open('[');
    for (const std::string& address : facts.about.addresses) json.value(std::string_view{address});
    json.close(']');
    json.member("connections_open", facts.state.connections);
    json.member("connections_accepted", accepted);
    json.member("handlers_running", facts.totals.handlers_running());
    add_requests(json, facts.totals);
    add_loops(json, facts);
    add_troubles(json);
    json.close('}');
    return json.take() + '\n';
}

}  // namespace weir::server
