// Responses of another server. However they are split, the code that asked gets the same: head,
// content, trailers, and the end or a failure. A server that is held back changes nothing.

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/fuzz_input.h"
#include "http/client/client_connection.h"

namespace weir::tests {
namespace {

using namespace http;
using client::Answered;
using client::ClientConnection;
using client::Exchange;
using client::Failure;

struct Got {
    std::uint16_t code = 0;
    std::string head;
    std::string content;
    std::string trailers;
    bool has_ended = false;
    Failure failure = Failure::none;

    bool operator==(const Got&) const = default;
};

class Recorder final : public Exchange {
   public:
    Recorder(Method method, bool upgrades)
        : request_{.head = "R\r\n\r\n", .method = method, .upgrades = upgrades} {}

    const client::Outgoing& request() const noexcept override { return request_; }
    void begin(Waker) noexcept override {}
    Wanted wanted() noexcept override { return {.takes_bytes = takes_bytes}; }
    void take_content(std::string&) noexcept override {}
    void note_sent() noexcept override {}
    void hint(Answered&&) override {}
    void answer(Answered&& head) override {
        require(got.code == 0 && head.index.size == head.head.size());
        got.code = head.code;
        got.head = std::move(head.head);
    }
    void deliver(std::string_view bytes) override {
        require(got.code != 0 && !is_over());
        got.content += bytes;
    }
    void end(std::string trailers) noexcept override {
        require(got.code != 0 && !is_over());
        got.trailers = std::move(trailers);
        got.has_ended = true;
    }
    void fail(Failure failure) noexcept override {
        require(failure != Failure::none);
        if (!got.has_ended) got.failure = failure;
    }

    Got got;
    bool takes_bytes = true;

   private:
    bool is_over() const noexcept { return got.has_ended || got.failure != Failure::none; }

    const client::Outgoing request_;
};

/// Has one exchange.
class One final : public client::Exchanges {
   public:
    explicit One(std::shared_ptr<Exchange> exchange) : exchange_{std::move(exchange)} {}
    void open(Waker) noexcept override {}
    std::shared_ptr<Exchange> next() noexcept override { return std::exchange(exchange_, nullptr); }
    bool keep() noexcept override { return true; }
    void close() noexcept override {}
    void refuse(Failure) noexcept override {}

   private:
    std::shared_ptr<Exchange> exchange_;
};

struct Nowhere final : Postbox {
    void answer(Ticket, Response&&) override {}
    void wake(Ticket) override {}
};

struct Here final : Origin {
    void append_address(std::string&) const override {}
    std::shared_ptr<Postbox> postbox() override { return std::make_shared<Nowhere>(); }
    std::uint64_t number() const noexcept override { return 1; }
};

/// The server sends the text in pieces of `first`, and then of `step` bytes, and closes.
Got play(const FuzzInput& input, std::size_t first, std::size_t step, bool holds_back) {
    constexpr Now now{.instant = Instant{std::chrono::hours{1}}};
    const Method method = (input.choice & 1U) != 0 ? Method::head : Method::get;
    const auto exchange = std::make_shared<Recorder>(method, (input.choice & 2U) != 0);
    Here here;
    ClientConnection connection{std::make_shared<One>(exchange), here, input.limits, {}, now};
    while (sends(connection.step()))
        connection.transmitted(connection.transmit().part_bytes(), now);
    std::string_view left = input.text;
    for (std::size_t size = first; !left.empty(); size = step) {
        const ExactCopy piece{left.substr(0, size)};
        left.remove_prefix(piece.view().size());
        exchange->takes_bytes = true;
        connection.wake(0, now);
        if (!reads(connection.step())) break;
        exchange->takes_bytes = !holds_back;
        if (!piece.view().empty()) connection.receive(piece.view(), now);
    }
    exchange->takes_bytes = true;
    connection.wake(0, now);
    if (reads(connection.step())) connection.receive_end(now);
    return exchange->got;
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const Got whole = play(input, input.text.size(), 1, false);
    require(whole.has_ended != (whole.failure != Failure::none));
    require(whole.content.size() + whole.head.size() <= input.text.size());
    require(play(input, input.cut, input.text.size() + 1, true) == whole);
    require(play(input, 1, 1, false) == whole);
}

}  // namespace weir::tests
