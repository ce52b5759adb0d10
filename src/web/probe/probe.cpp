#include "weir/web/probe.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "base/troubles.h"
#include "http/content/user_code.h"
#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "web/probe/client.h"
#include "web/probe/end.h"
#include "web/probe/mail.h"
#include "web/probe/other_server.h"

namespace weir::web {
namespace {

using http::Step;

/// Keeps what a server would log.
class Failures final : public http::FailureObserver {
   public:
    void failed(std::string_view what, std::string_view request,
                std::exception_ptr cause) noexcept override try {
        texts.push_back(http::failure_text(what, request, std::move(cause)));
    } catch (const std::bad_alloc&) {  // the line is lost
        troubles().note(Trouble::memory);
    }
    std::vector<std::string> texts;
};

}  // namespace

struct Probe::State {
    State(http::Handler& of, http::Limits its_limits, http::Timeouts its_timeouts)
        : handler{of}, limits{its_limits}, timeouts{its_timeouts} {}
    /// A connection that was not made has a way back to the mail.
    ~State() { mail->collect(); }

    void deliver();
    void deliver(Mail::Item& item);
    void connect(http::Outbound& outbound);

    http::Handler& handler;
    http::Handler* played = nullptr;  // the handler of all other servers
    http::Limits limits;
    http::Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    Instant::duration since_start{0};
    std::shared_ptr<Mail> mail = std::make_shared<Mail>(now);
    std::vector<ProbeEnd*> ends;
    std::vector<std::unique_ptr<OtherServer>> others;
    std::optional<http::Security> security{};
    Protocol protocol = Protocol::http1;
    Failures failures;
};

/// Plays the engine and the peer of one connection.
struct Probe::Exchange::Peer final : ProbeEnd {
    explicit Peer(std::shared_ptr<State> of)
        : ProbeEnd{of->mail, of->now}, kept{std::move(of)}, own_security{state.security} {
        client = state.protocol == Protocol::http2 ? http2_client(own_security.has_value())
                                                   : http1_client();
        workspace.failures = &state.failures;
        if (state.protocol == Protocol::http2)
            connection = std::make_unique<http::Http2Connection>(workspace, *this, state.now);
        else
            connection = std::make_unique<http::Http1Connection>(workspace, *this, state.now);
        state.ends.push_back(this);
    }
    ~Peer() override { std::erase(state.ends, this); }

    std::optional<http::Security> security() const override { return own_security; }

    void send(std::string_view bytes) {
        input.append(bytes);
        drive();
    }
    void run() override { drive(); }
    bool can_send() const override { return takes; }
    void sent(std::string_view bytes) override { input += client->take(bytes); }
    http::Reply handle(const http::Request& request) override {
        return http::UserCode{&state.failures, request}.handle(state.handler);
    }

    Answer answer() const { return client->answer(has_ended()); }

    template <typename Done>
    Answer wait_until(Done done) {
        for (;;) {
            state.deliver();
            Answer so_far = answer();
            if (done(so_far)) return so_far;
            if (connection->step() == Step::close || client->is_reset()) return so_far;
            if (!state.mail->wait())
                throw std::runtime_error{
                    "no answer came: if the handler waits for the clock, call advance()"};
        }
    }

    const std::shared_ptr<State> kept;  // the probe may end before
    State& state = *kept;
    std::optional<http::Security> own_security;
    http::Workspace workspace{state.limits, state.timeouts};
    std::unique_ptr<ProbeClient> client;
    bool takes = true;
};

void Probe::State::deliver() {
    for (auto all = mail->collect(); !all.empty(); all = mail->collect())
        for (Mail::Item& item : all) deliver(item);
}

void Probe::State::deliver(Mail::Item& item) {
    if (item.outbound) return connect(*item.outbound);
    const auto at = std::ranges::find(ends, item.ticket.connection, &ProbeEnd::number);
    if (at == ends.end()) return;
    http::Connection& connection = *(*at)->connection;
    if (item.answer)
        connection.respond(item.ticket.request, std::move(*item.answer), now);
    else
        connection.wake(item.ticket.request, now);
    (*at)->run();
}

/// Without a handler for them, no other server can be reached: the outbound connection is dropped.
void Probe::State::connect(http::Outbound& outbound) {
    std::erase_if(others, [](const auto& each) { return each->is_closed(); });
    if (played == nullptr) return;
    others.push_back(std::make_unique<OtherServer>(outbound, *played, mail, now, ends));
    others.back()->run();
}

// ---- the exchange ----

Probe::Exchange::Exchange(std::unique_ptr<Peer> peer) noexcept : peer_{std::move(peer)} {}
Probe::Exchange::Exchange(Exchange&&) noexcept = default;
Probe::Exchange::~Exchange() = default;

Probe::Answer Probe::Exchange::answer() {
    peer_->state.deliver();
    return peer_->answer();
}

Probe::Answer Probe::Exchange::wait() {
    return peer_->wait_until([](const Answer& answer) { return answer.is_complete; });
}

Probe::Answer Probe::Exchange::wait_for(std::string_view text) {
    return peer_->wait_until([text](const Answer& answer) {
        return answer.is_complete || answer.content.find(text) != std::string::npos;
    });
}

Probe::Answer Probe::Exchange::wait_for_bytes(std::size_t content_bytes) {
    return peer_->wait_until([content_bytes](const Answer& answer) {
        return answer.is_complete || (answer.status != 0 && answer.content.size() >= content_bytes);
    });
}

void Probe::Exchange::send(std::string_view bytes) { peer_->send(peer_->client->send(bytes)); }

void Probe::Exchange::end() {
    if (const auto bytes = peer_->client->end()) return peer_->send(*bytes);
    if (http::reads(peer_->connection->step())) peer_->connection->receive_end(peer_->state.now);
    peer_->run();
}

void Probe::Exchange::leave() {
    if (peer_->connection->step() != Step::close)
        peer_->connection->fail(http::Outcome::peer_gone, peer_->state.now);
}

void Probe::Exchange::stop_server() {
    if (peer_->connection->step() != Step::close) peer_->connection->retire(peer_->state.now);
    peer_->run();
}

void Probe::Exchange::take(bool takes) {
    peer_->takes = takes;
    peer_->run();
}

// ---- the probe ----

Probe::Probe(http::Handler& handler, http::Limits limits, http::Timeouts timeouts)
    : state_{std::make_shared<State>(handler, limits, timeouts)} {}
Probe::~Probe() = default;

void Probe::speak(Protocol protocol) { state_->protocol = protocol; }
void Probe::play_other_servers(http::Handler& handler) { state_->played = &handler; }
void Probe::encrypt(const http::Security& security) { state_->security = security; }

Probe::Answer Probe::get(std::string_view target, const Fields& fields) {
    return ask("GET", target, fields);
}

Probe::Answer Probe::post(std::string_view target, std::string_view content,
                          std::string_view media_type, Fields fields) {
    fields.emplace_back("Content-Type", media_type);
    return ask("POST", target, fields, content);
}

Probe::Answer Probe::ask(std::string_view method, std::string_view target, const Fields& fields,
                         std::optional<std::string_view> content) {
    return open(method, target, fields, content).wait();
}

Probe::Exchange Probe::open(std::string_view method, std::string_view target, const Fields& fields,
                            std::optional<std::string_view> content) {
    return open(method, target, fields, content, true);
}

Probe::Exchange Probe::open_blocked(std::string_view method, std::string_view target,
                                    const Fields& fields) {
    return open(method, target, fields, {}, false);
}

Probe::Exchange Probe::open(std::string_view method, std::string_view target, const Fields& fields,
                            std::optional<std::string_view> content, bool takes) {
    auto peer = std::make_unique<Exchange::Peer>(state_);
    peer->takes = takes;
    peer->send(peer->client->ask(method, target, fields, content));
    return Exchange{std::move(peer)};
}

const std::vector<std::string>& Probe::failures() const noexcept { return state_->failures.texts; }

void Probe::advance(std::chrono::milliseconds time) {
    state_->deliver();
    const Instant until = state_->now.instant + time;
    for (;;) {
        Instant next = until;
        for (const auto* end : state_->ends) next = std::min(next, end->connection->deadline());
        const auto step = std::max(next - state_->now.instant, Instant::duration{0});
        state_->mail->turn(state_->now, step);
        state_->since_start += step;
        state_->now.unix_seconds =
            784'111'777 + std::chrono::floor<std::chrono::seconds>(state_->since_start).count();
        bool expired = false;
        for (auto* each : std::vector{state_->ends}) {
            if (each->connection->deadline() > state_->now.instant) continue;
            if (each->connection->step() == Step::close) continue;
            expired = true;
            each->connection->expire(state_->now, 0);
            each->run();
        }
        state_->deliver();
        if (!expired && state_->now.instant >= until) return;
    }
}

}  // namespace weir::web
