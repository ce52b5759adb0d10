#include "corpus/player.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "corpus/answers.h"
#include "corpus/corpus_case.h"
#include "corpus/guarded.h"
#include "http/http1/http1_connection.h"

namespace weir::tests {
namespace {

using namespace http;

class NoPostbox final : public Postbox {
    void answer(http::Ticket, Response&&) override {}
    void wake(http::Ticket) override {}
};

class Collector final : public Sink {
   public:
    explicit Collector(std::string& into) : into_{into} {}
    Taken take(std::string_view bytes) override {
        into_ += bytes;
        return Taken::more;
    }
    void cut() noexcept override { into_.clear(); }

   private:
    std::string& into_;
};

/// Content of unknown size: "one", then "two".
class TwoPieces final : public Source {
   public:
    Pulled pull(std::span<char> into) override {
        if (pulled_ == 2) return End{};
        const std::string_view piece = pulled_++ == 0 ? "one" : "two";
        std::memcpy(into.data(), piece.data(), piece.size());
        return Ready{piece.size()};
    }

   private:
    int pulled_ = 0;
};

/// The engine and the handler of one connection.
class Player final : public Origin {
   public:
    Player(const Setting& setting, std::size_t piece_size_max)
        : setting_{setting}, received_{piece_size_max} {}

    void receive(std::string_view piece) {
        if (connection_.step() == Step::close || piece.empty()) return;
        received_.place(piece);
        connection_.receive(received_.view(), now_);
        drive();
        if (step() == Step::wait) connection_.take_ownership(now_);
        std::memset(received_.data(), '!', piece.size());  // no longer borrowed
    }

    void end() {
        closed_by_itself_ = closes();
        if (step() == Step::receive || step() == Step::drain) connection_.receive_end(now_);
        drive();
    }

    /// Requests and answers in the order in which they were made.
    std::vector<std::string> events() {
        flush();
        events_.emplace_back(closes() ? "closes" : "stays open");
        return std::move(events_);
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<Postbox> postbox() override { return std::make_shared<NoPostbox>(); }
    std::uint64_t number() const noexcept override { return 0; }

   private:
    Step step() const { return connection_.step(); }
    bool closes() const { return step() == Step::close || step() == Step::drain; }

    void drive() {
        for (;;) {
            if (setting_.settles) connection_.take_ownership(now_);
            if (step() == Step::handle) {
                const Request& request = connection_.take_request();
                connection_.respond(request.id(), handle(request), now_);
            } else if (step() == Step::transmit) {
                transmit();
            } else {
                return;
            }
        }
    }

    void transmit() {
        const Transmission transmission = connection_.transmit();
        for (const std::string_view part : transmission.parts) sent_ += part;
        connection_.transmitted(transmission.part_bytes(), now_);
    }

    /// The answers that were sent become events. Their requests came before: where answers are
    /// gathered, the events are all requests, then all answers, so they are sorted into pairs here.
    void flush() {
        std::vector<std::string> answers =
            read_answers(sent_, closed_by_itself_.value_or(closes()));
        std::vector<std::string> merged;
        std::size_t next = 0;
        for (std::string& event : events_) {
            const bool opens = event.starts_with("request ");
            if (opens && opened_++ != 0) take_answer(merged, answers, next);
            merged.push_back(std::move(event));
        }
        while (next < answers.size()) merged.push_back(std::move(answers[next++]));
        events_ = std::move(merged);
    }

    static void take_answer(std::vector<std::string>& merged, std::vector<std::string>& answers,
                            std::size_t& next) {
        while (next < answers.size()) {
            merged.push_back(std::move(answers[next++]));
            if (!merged.back().starts_with("1")) return;
        }
    }

    Reply handle(const Request& request) {
        if (!std::exchange(content_asked_, false)) {
            note_request(request);
            if (request.content_pending() && setting_.handling != Handling::ignores)
                return ask_for_content();
        } else {
            note_content(request);
        }
        return answer(request);
    }

    Reply ask_for_content() {
        content_asked_ = true;
        streamed_.clear();
        if (setting_.handling == Handling::reads) return ReadContent{};
        return StreamContent{std::make_unique<Collector>(streamed_)};
    }

    /// Some paths ask for answers of their own kind.
    static Response answer(const Request& request) {
        const std::string_view path = request.path();
        if (path == "/204") return Response{Status::no_content};
        if (path == "/304") return Response{Status::not_modified};
        Response response;
        if (path == "/source")
            response.content(std::make_unique<TwoPieces>());
        else
            response.content(std::string{"hello"});
        if (path == "/close") response.close();
        return response;
    }

    void note_request(const Request& request) {
        std::string event = "request " + std::string{request.method_text()} + ' ';
        event += request.path();
        if (!request.query().empty()) (event += '?') += request.query();
        event += " HTTP/1." + std::to_string(request.minor_version());
        event += " at ";
        event += request.authority().empty() ? "-" : request.authority();
        events_.push_back(event);
        if (!setting_.shows_fields) return;
        for (const FieldLine& line : request.fields())
            events_.push_back("field " + std::string{request.name_of(line)} + ": [" +
                              escaped(request.value_of(line)) + "]");
    }

    void note_content(const Request& request) {
        const bool reads = setting_.handling == Handling::reads;
        events_.push_back("content [" + escaped(reads ? request.content() : streamed_) + "]");
        if (!request.trailers().empty())
            events_.push_back("trailers [" + escaped(request.trailers()) + "]");
    }

    const Setting& setting_;
    Guarded received_;
    const Timeouts timeouts_;
    Now now_{.instant = Instant{std::chrono::hours{1}}, .unix_seconds = 784'111'777};
    Workspace workspace_{setting_.limits, timeouts_};
    std::vector<std::string> events_;
    std::string sent_;
    std::string streamed_;
    int opened_ = 0;
    std::optional<bool> closed_by_itself_;  // before the peer ended
    bool content_asked_ = false;
    Http1Connection connection_{workspace_, *this, now_};
};

}  // namespace

std::vector<std::string> play(std::span<const std::string_view> pieces, const Setting& setting) {
    std::size_t piece_size_max = 0;
    for (const std::string_view piece : pieces)
        piece_size_max = std::max(piece_size_max, piece.size());
    Player player{setting, piece_size_max};
    for (const std::string_view piece : pieces) player.receive(piece);
    if (setting.peer_ends) player.end();
    return player.events();
}

}  // namespace weir::tests
