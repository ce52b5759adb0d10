#include "weir/web/probe.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <stdexcept>

#include "base/troubles.h"
#include "http/content/user_code.h"
#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "web/probe/client.h"

namespace weir::web {
namespace {

using http::Step;

/// Carries responses and wake-ups to the test's thread.
class Mail final : public http::Postbox {
   public:
    struct Item {
        http::Ticket ticket;
        std::optional<http::Response> answer;
    };

    explicit Mail(const Now& clock) noexcept : clock_{clock} {}
    void answer(http::Ticket ticket, http::Response&& response) override {
        put({ticket, std::move(response)});
    }
    void wake(http::Ticket ticket) override { put({ticket, std::nullopt}); }
    /// Coroutines and callbacks call it on the test's thread, offloaded work does not.
    Instant now() const noexcept override {
        const std::scoped_lock lock{mutex_};
        return clock_.instant;
    }

    std::vector<Item> collect() {
        const std::scoped_lock lock{mutex_};
        return std::exchange(items_, {});
    }
    /// False if nothing came for too long.
    bool wait() {
        constexpr std::chrono::seconds patience{10};
        std::unique_lock lock{mutex_};
        return came_.wait_for(lock, patience, [this] { return !items_.empty(); });
    }
    void turn(Now& clock, std::chrono::milliseconds time) {
        const std::scoped_lock lock{mutex_};
        clock.instant += time;
    }

   private:
    void put(Item&& item) noexcept try {
        const std::scoped_lock lock{mutex_};
        items_.push_back(std::move(item));
        came_.notify_all();
    } catch (const std::bad_alloc&) {  // as in a server, the request times out
        troubles().note(Trouble::memory);
    }

    const Now& clock_;
    mutable std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Item> items_;
};

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

std::string read_range(const http::FileRange& file) {
    std::string bytes(file.size, '\0');
    const ssize_t got =
        ::pread(file.fd, bytes.data(), bytes.size(), static_cast<off_t>(file.offset));
    if (got != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error{"the file of an answer is shorter than the answer says"};
    return bytes;
}

}  // namespace

struct Probe::State {
    State(http::Handler& of, http::Limits its_limits, http::Timeouts its_timeouts)
        : handler{of}, limits{its_limits}, timeouts{its_timeouts} {}

    void deliver();

    http::Handler& handler;
    http::Limits limits;
    http::Timeouts timeouts;
    Now now{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    std::int64_t milliseconds = 0;  // since the start
    std::shared_ptr<Mail> mail = std::make_shared<Mail>(now);
    std::vector<Exchange::Peer*> peers;
    std::uint64_t last_number = 0;
    std::optional<http::Security> security{};
    Protocol protocol = Protocol::http1;
    Failures failures;
};

/// Plays the engine for one connection.
struct Probe::Exchange::Peer final : http::Origin {
    explicit Peer(std::shared_ptr<State> of) : kept{std::move(of)} {
        workspace.failures = &state.failures;
        if (state.protocol == Protocol::http2)
            connection = std::make_unique<http::Http2Connection>(workspace, *this, state.now);
        else
            connection = std::make_unique<http::Http1Connection>(workspace, *this, state.now);
        state.peers.push_back(this);
    }
    virtual ~Peer() { std::erase(state.peers, this); }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return state.mail; }
    std::uint64_t number() const noexcept override { return own_number; }
    std::optional<http::Security> security() const override { return own_security; }

    void send(std::string_view bytes) {
        input.append(bytes);
        drive();
    }

    void drive() {
        for (;;) {
            const Step step = connection->step();
            if (step == Step::handle) {
                const http::Request& request = connection->take_request();
                const http::RequestId id = request.id();
                connection->respond(
                    id, http::UserCode{&state.failures, request}.handle(state.handler), state.now);
            } else if (http::sends(step) && takes) {
                transmit();
            } else if (http::reads(step) && !input.empty()) {
                const std::string bytes = std::exchange(input, {});
                connection->receive(bytes, state.now);
                connection->take_ownership(state.now);
            } else {
                connection->take_ownership(state.now);
                return;
            }
        }
    }

    void transmit() {
        const http::Transmission what = connection->transmit();
        std::size_t size = what.part_bytes();
        for (const std::string_view part : what.parts) input += client->take(part);
        if (what.file.size != 0) input += client->take(read_range(what.file));
        size += what.file.size;
        connection->transmitted(size, state.now);
    }

    Answer answer() const {
        const bool ended = connection->step() == Step::drain || connection->step() == Step::close;
        return client->answer(ended);
    }

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
    std::uint64_t own_number = ++state.last_number;
    std::optional<http::Security> own_security = state.security;
    http::Workspace workspace{state.limits, state.timeouts};
    std::unique_ptr<ProbeClient> client =
        state.protocol == Protocol::http2 ? http2_client(own_security.has_value()) : http1_client();
    std::string input;  // bytes that the connection has not taken yet
    bool takes = true;
    std::unique_ptr<http::Connection> connection{};
};

void Probe::State::deliver() {
    for (auto all = mail->collect(); !all.empty(); all = mail->collect()) {
        for (Mail::Item& item : all) {
            const auto at =
                std::ranges::find(peers, item.ticket.connection, &Exchange::Peer::own_number);
            if (at == peers.end()) continue;
            http::Connection& connection = *(*at)->connection;
            if (item.answer)
                connection.respond(item.ticket.request, std::move(*item.answer), now);
            else
                connection.wake(item.ticket.request, now);
            (*at)->drive();
        }
    }
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
    peer_->drive();
}

void Probe::Exchange::leave() {
    if (peer_->connection->step() != Step::close)
        peer_->connection->fail(http::Outcome::peer_gone, peer_->state.now);
}

void Probe::Exchange::stop_server() {
    if (peer_->connection->step() != Step::close) peer_->connection->retire(peer_->state.now);
    peer_->drive();
}

void Probe::Exchange::take(bool takes) {
    peer_->takes = takes;
    peer_->drive();
}

// ---- the probe ----

Probe::Probe(http::Handler& handler, http::Limits limits, http::Timeouts timeouts)
    : state_{std::make_shared<State>(handler, limits, timeouts)} {}
Probe::~Probe() = default;

void Probe::speak(Protocol protocol) { state_->protocol = protocol; }
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
    const Instant end = state_->now.instant + time;
    for (;;) {
        Instant next = end;
        for (const auto* peer : state_->peers) next = std::min(next, peer->connection->deadline());
        const auto step = std::max(next - state_->now.instant, std::chrono::milliseconds{0});
        state_->mail->turn(state_->now, step);
        state_->milliseconds += step.count();
        state_->now.unix_seconds = 784'111'777 + state_->milliseconds / 1000;
        bool expired = false;
        for (auto* peer : std::vector{state_->peers}) {
            if (peer->connection->deadline() > state_->now.instant) continue;
            if (peer->connection->step() == Step::close) continue;
            expired = true;
            peer->connection->expire(state_->now, 0);
            peer->drive();
        }
        state_->deliver();
        if (!expired && state_->now.instant >= end) return;
    }
}

}  // namespace weir::web
