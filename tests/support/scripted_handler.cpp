#include "support/scripted_handler.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

#include "net/unique_fd.h"
#include "support/pattern.h"
#include "support/query.h"
#include "support/sources.h"

namespace weir::tests {

using namespace std::string_literals;

// What a sink has received, kept for the second call of the handler.
struct ScriptedHandler::Totals {
    std::size_t bytes = 0;
    bool is_pattern = true;
};

class ScriptedHandler::PatternSink final : public http::Sink {
   public:
    enum class Manner { steady, pausing, failing };

    PatternSink(std::shared_ptr<Totals> totals, Manner manner, http::Waker waker,
                ScriptedHandler& handler, std::string note)
        : totals_{std::move(totals)},
          manner_{manner},
          waker_{std::move(waker)},
          handler_{handler},
          note_{std::move(note)} {}

    Taken take(std::string_view bytes) override {
        if (manner_ == Manner::failing) return Taken::failed;
        if (totals_->bytes == 0) handler_.journal.note(note_ + " arrives");
        if (first_difference(bytes, totals_->bytes)) totals_->is_pattern = false;
        totals_->bytes += bytes.size();
        if (manner_ == Manner::steady) return Taken::more;
        handler_.background_.soon([waker = waker_] { waker.wake(); });
        return Taken::paused;
    }
    void cut() noexcept override { handler_.journal.note(note_ + " cut"); }

   private:
    std::shared_ptr<Totals> totals_;
    Manner manner_;
    http::Waker waker_;
    ScriptedHandler& handler_;
    std::string note_;
};

namespace {

http::Response text(std::string content) {
    http::Response response;
    response.add("Content-Type", "text/plain; charset=utf-8").content(std::move(content));
    return response;
}

class Busy final : public http::Continuation {
   public:
    Busy(http::Waker waker, Journal& journal, std::string note)
        : waker_{std::move(waker)}, journal_{journal}, note_{std::move(note)} {}
    ~Busy() override { journal_.note(note_ + " ended"); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

    http::Reply resume() override {
        waker_.wake();
        return http::Later{};
    }

   private:
    http::Waker waker_;
    Journal& journal_;
    std::string note_;
};

class Awaiting final : public http::Continuation {
   public:
    Awaiting(const Gate& gate, Journal& journal, std::string note)
        : gate_{gate}, journal_{journal}, note_{std::move(note)} {}

    http::Reply resume() override {
        if (gate_.is_open()) return text("awaited\n");
        return http::Later{};
    }
    bool ends_with_peer() const noexcept override { return true; }
    void cut() noexcept override { journal_.note(note_ + " cut"); }

   private:
    const Gate& gate_;
    Journal& journal_;
    std::string note_;
};

http::Response hello() {
    http::Response response;
    response.prepared_fields("Content-Type: text/plain\r\n").content_view("hello\n");
    return response;
}

http::Response big(std::uint64_t bytes, bool own) {
    auto content = std::make_shared<const std::string>(pattern(0, bytes));
    http::Response response;
    if (own)
        response.content(*content);
    else
        response.content_view(*content).retain(content);
    return response;
}

http::Response file_answer(http::FileRange range) {
    http::Response response;
    response.content(range);
    return response;
}

/// A file that sendfile(2) doesn't take.
http::Response unsendable_answer(std::uint64_t from, std::uint64_t bytes) {
    auto fd = std::make_shared<net::UniqueFd>(::open(unsendable_file, O_RDONLY | O_CLOEXEC));
    if (!*fd) throw std::system_error{errno, std::generic_category()};
    http::Response response = file_answer({fd->get(), from, bytes});
    response.retain(std::move(fd));
    return response;
}

http::Response streamed(std::unique_ptr<http::Source> source) {
    http::Response response;
    response.content(std::move(source));
    return response;
}

std::string note_of(const http::Request& request) {
    return std::string{parameter(request, "note").value_or("")};
}

Done note_end_of_stream(Journal& journal, const http::Request& request) {
    return [&journal, note = note_of(request)](http::Outcome outcome) {
        if (!note.empty()) journal.note(note + " streamed: " + std::string{to_text(outcome)});
    };
}

}  // namespace

http::Response ScriptedHandler::later_response(const http::Request& request) {
    if (!parameter(request, "source"))
        return text("later " + std::string{parameter(request, "is").value_or("")});
    return streamed(std::make_unique<PatternSource>(PatternSource::Options{.bytes = 1},
                                                    request.waker(), background_,
                                                    note_end_of_stream(journal, request)));
}

http::Reply ScriptedHandler::answer_later(const http::Request& request) {
    auto deferred = std::make_shared<http::Deferred>(request.defer());
    auto response = std::make_shared<http::Response>(later_response(request));
    const int fd = parameter(request, "open") ? -1 : gate.fd();
    background_.when_readable(fd, [this, deferred, response, note = note_of(request)] {
        deferred->respond(std::move(*response));
        if (!note.empty()) journal.note(note + " responded");
    });
    return http::Later{};
}

http::Reply ScriptedHandler::take_content(const http::Request& request) {
    using Manner = PatternSink::Manner;
    const std::scoped_lock lock{mutex_};
    auto note = note_of(request);
    if (!request.content_pending()) {
        const auto found = totals_.find(note);
        if (found == totals_.end()) return text("0 bytes\n");
        const auto totals = totals_.extract(found).mapped();
        return text(totals->is_pattern ? std::to_string(totals->bytes) + " bytes\n" : "garbled\n");
    }
    auto totals = std::make_shared<Totals>();
    totals_[note] = totals;
    const auto manner = parameter(request, "fail")    ? Manner::failing
                        : parameter(request, "pause") ? Manner::pausing
                                                      : Manner::steady;
    return http::StreamContent{std::make_unique<PatternSink>(
        std::move(totals), manner, request.waker(), *this, std::move(note))};
}

http::Reply ScriptedHandler::handle(const http::Request& request) {
    try {
        return answer(request);
    } catch (const std::system_error&) {
        return http::error_response(http::Status::internal_server_error);
    }
}

http::Reply ScriptedHandler::answer(const http::Request& request) {
    const auto path = request.path();
    const auto has = [&](std::string_view name) { return parameter(request, name).has_value(); };
    if (const auto note = note_of(request); !note.empty()) journal.note(note + " handled");

    if (path == "/hello") return hello();
    if (path == "/text") return text(std::string{parameter(request, "is").value_or("")});
    if (path == "/status")
        return http::Response{static_cast<http::Status>(number_parameter(request, "code", 200))};
    if (path == "/big") return big(number_parameter(request, "bytes"), has("own"));
    if (path == "/file")
        return file_answer(
            {file.fd(), number_parameter(request, "from"), number_parameter(request, "bytes")});
    if (path == "/unsendable")
        return unsendable_answer(number_parameter(request, "from"),
                                 number_parameter(request, "bytes"));
    if (path == "/refuse") return http::error_response(http::Status::forbidden);
    if (path == "/held") {
        gate.await();
        return text("held\n");
    }
    if (path == "/slow") {
        gate.await(std::chrono::milliseconds{number_parameter(request, "ms")});
        return text("slow\n");
    }
    if (path == "/later") return answer_later(request);
    if (path == "/sink") return take_content(request);
    if (path == "/echo") {
        if (request.content_pending()) return http::ReadContent{};
        return text(std::string{request.content()} + std::string{request.trailers()});
    }
    if (path == "/dropped") {
        [[maybe_unused]] const auto forgotten = request.defer();
        return http::Later{};
    }
    if (path == "/busy")
        return http::Later{std::make_unique<Busy>(request.waker(), journal, note_of(request))};
    if (path == "/awaited") {
        background_.when_readable(gate.fd(), [waker = request.waker()] { waker.wake(); });
        return http::Later{std::make_unique<Awaiting>(gate, journal, note_of(request))};
    }
    if (path == "/never") {
        const std::scoped_lock lock{mutex_};
        unanswered_.push_back(request.defer());
        return http::Later{};
    }

    auto done = note_end_of_stream(journal, request);
    const auto listed = [&](std::vector<ListedSource::Piece> pieces) {
        return streamed(std::make_unique<ListedSource>(
            std::move(pieces), has("live"), request.waker(), background_, std::move(done)));
    };
    if (path == "/stream") {
        const PatternSource::Options options{number_parameter(request, "bytes"), has("sized"),
                                             number_parameter(request, "pause")};
        return streamed(std::make_unique<PatternSource>(options, request.waker(), background_,
                                                        std::move(done)));
    }
    if (path == "/gated") return listed({"first\n"s, &gate, "second\n"s});
    if (path == "/parts")
        return listed({"before\n"s,
                       http::FileRange{file.fd(), 0, number_parameter(request, "bytes")},
                       "after\n"s});
    if (path == "/broken") return listed({"first\n"s, &gate, http::Source::Failed{}});
    return http::error_response(http::Status::not_found);
}

void ScriptedHandler::answered(const http::Answered& answered) noexcept {
    if (answered.request == nullptr) return;
    if (const auto note = note_of(*answered.request); !note.empty())
        journal.note(note + ": " + std::string{to_text(answered.outcome)});
}

}  // namespace weir::tests
