#include "server/guarded_handler.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "base/troubles.h"
#include "server/log_escape.h"
#include "weir/http/tunnel.h"

namespace weir::server {
namespace {

/// The message of the exception that is being handled.
std::string current_message() {
    try {
        throw;
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

std::string name_of(const http::Request& request) {
    std::string name{request.method_text()};
    name += ' ';
    name += request.target();
    return name;
}

void report(Log& log, std::string_view who, std::string_view request) {
    std::string message{who};
    message += " threw an exception for ";
    append_escaped(message, request, Escape::hexadecimal);
    message += ": ";
    append_escaped(message, current_message(), Escape::hexadecimal);
    log.write(Severity::error, message);
}

class GuardedSink final : public http::Sink {
   public:
    GuardedSink(std::unique_ptr<http::Sink> sink, std::string request, Log& log)
        : sink_{std::move(sink)}, request_{std::move(request)}, log_{log} {}

    Taken take(std::string_view bytes) override {
        try {
            return sink_->take(bytes);
        } catch (...) {
            report(log_, "a sink", request_);
            return Taken::failed;
        }
    }
    void cut() noexcept override { sink_->cut(); }

   private:
    std::unique_ptr<http::Sink> sink_;
    std::string request_;
    Log& log_;
};

class GuardedSource final : public http::Source {
   public:
    GuardedSource(std::unique_ptr<http::Source> source, std::string request, Log& log)
        : source_{std::move(source)},
          size_{source_->size()},
          request_{std::move(request)},
          log_{log} {}

    Pulled pull(std::span<char> into) override {
        try {
            return source_->pull(into);
        } catch (...) {
            report(log_, "a source", request_);
            return Failed{};
        }
    }
    std::optional<std::uint64_t> size() const override { return size_; }
    std::string_view trailers() const override { return source_->trailers(); }
    Instant due() const noexcept override { return source_->due(); }
    void done(http::Outcome outcome) noexcept override { source_->done(outcome); }

   private:
    std::unique_ptr<http::Source> source_;
    std::optional<std::uint64_t> size_;
    std::string request_;
    Log& log_;
};

/// The tunnel is asked again after it threw: it may have a last word for its peer.
class GuardedTunnel final : public http::Tunnel {
   public:
    GuardedTunnel(std::unique_ptr<http::Source> source, std::string request, Log& log)
        : source_{std::move(source)},
          tunnel_{*source_->tunnel()},
          request_{std::move(request)},
          log_{log} {}

    Pulled pull(std::span<char> into) override {
        try {
            return tunnel_.pull(into);
        } catch (...) {
            report(log_, "a tunnel", request_);
            return tunnel_.pull(into);
        }
    }
    Instant due() const noexcept override { return tunnel_.due(); }
    void done(http::Outcome outcome) noexcept override { tunnel_.done(outcome); }
    bool takes() const noexcept override { return tunnel_.takes(); }
    std::size_t take(std::string_view bytes) override { return tunnel_.take(bytes); }
    void end_input() noexcept override { tunnel_.end_input(); }
    void retire() noexcept override { tunnel_.retire(); }
    std::size_t bytes() const noexcept override { return tunnel_.bytes(); }

   private:
    std::unique_ptr<http::Source> source_;
    http::Tunnel& tunnel_;
    std::string request_;
    Log& log_;
};

std::unique_ptr<http::Source> guarded(std::unique_ptr<http::Source> source,
                                      const std::string& request, Log& log) {
    if (source->tunnel() != nullptr)
        return std::make_unique<GuardedTunnel>(std::move(source), request, log);
    return std::make_unique<GuardedSource>(std::move(source), request, log);
}

void guard_streams(http::Reply& reply, const std::string& request, Log& log);

class GuardedContinuation final : public http::Continuation {
   public:
    GuardedContinuation(std::unique_ptr<http::Continuation> continuation, std::string request,
                        Log& log)
        : continuation_{std::move(continuation)}, request_{std::move(request)}, log_{log} {}

    http::Reply resume() override {
        try {
            http::Reply reply = continuation_->resume();
            guard_streams(reply, request_, log_);
            return reply;
        } catch (const std::bad_alloc&) {
            throw;  // the connection apologizes
        } catch (...) {
            report(log_, "the handler", request_);
            return http::error_response(http::Status::internal_server_error);
        }
    }
    Instant due() const noexcept override { return continuation_->due(); }
    void cut() noexcept override { continuation_->cut(); }

   private:
    std::unique_ptr<http::Continuation> continuation_;
    std::string request_;
    Log& log_;
};

/// What is called after handle() has returned gets guards of its own. `request` is its name. A sink
/// may be missing in the reply of a continuation.
void guard_streams(http::Reply& reply, const std::string& request, Log& log) {
    if (auto* stream = std::get_if<http::StreamContent>(&reply)) {
        if (stream->sink)
            stream->sink = std::make_unique<GuardedSink>(std::move(stream->sink), request, log);
    } else if (auto* response = std::get_if<http::Response>(&reply)) {
        if (auto* source = std::get_if<std::unique_ptr<http::Source>>(&response->content()))
            *source = guarded(std::move(*source), request, log);
    } else if (auto* later = std::get_if<http::Later>(&reply)) {
        if (later->continuation)
            later->continuation =
                std::make_unique<GuardedContinuation>(std::move(later->continuation), request, log);
    }
}

/// Only these need the name of their request, which takes memory.
bool is_called_later(const http::Reply& reply) noexcept {
    if (const auto* response = std::get_if<http::Response>(&reply))
        return std::holds_alternative<std::unique_ptr<http::Source>>(response->content());
    if (const auto* later = std::get_if<http::Later>(&reply)) return later->continuation != nullptr;
    return std::holds_alternative<http::StreamContent>(reply);
}

}  // namespace

http::Reply GuardedHandler::handle(const http::Request& request) noexcept {
    try {
        return pass_on(request);
    } catch (const std::bad_alloc&) {
        return without_memory();
    } catch (...) {
        return report_and_apologize(request);
    }
}

http::Reply GuardedHandler::report_and_apologize(const http::Request& request) noexcept {
    try {
        report(log_, "the handler", name_of(request));
        return http::error_response(http::Status::internal_server_error);
    } catch (...) {
        return without_memory();
    }
}

/// An answer that needs none.
http::Reply GuardedHandler::without_memory() noexcept {
    troubles().note(Trouble::memory);
    return http::Response{http::Status::service_unavailable};
}

/// A separate function, because GCC moves a value that is returned from a try block.
http::Reply GuardedHandler::pass_on(const http::Request& request) {
    http::Reply reply = handler_.handle(request);
    if (is_called_later(reply)) guard_streams(reply, name_of(request), log_);
    return reply;
}

}  // namespace weir::server
