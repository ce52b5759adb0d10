#pragma once

#include <chrono>
#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/web/await.h"
#include "weir/web/call.h"
#include "weir/web/response.h"
#include "weir/web/task.h"

namespace weir::web {

class Stream;
class Events;
struct EventOptions;

struct StreamOptions {
    Status status = Status::ok;
    /// Of the content in bytes, if it is known: the response then has Content-Length. Content of
    /// another size ends the connection, with a std::length_error in the log.
    std::optional<std::uint64_t> size{};
};

namespace detail {

class Outflow;

/// Receives the result of one piece, once.
class Done {
   public:
    virtual ~Done() = default;
    virtual void tell(bool taken) noexcept = 0;
};
template <typename Callback>
struct DoneCallback final : Done {
    explicit DoneCallback(Callback&& own) : callback{std::move(own)} {}
    void tell(bool taken) noexcept override { callback(taken); }
    Callback callback;
};

/// A piece from a coroutine, which waits until the kernel has taken it.
class [[nodiscard("write() does nothing without co_await")]] Write final : public Awaited {
   public:
    Write(Outflow& outflow, std::string_view bytes) noexcept : outflow_{outflow}, bytes_{bytes} {}
    Write(Outflow& outflow, std::string&& own) noexcept
        : outflow_{outflow}, own_{std::move(own)}, is_own_{true} {}

    bool begin(Runner&);
    void await_resume() const noexcept {}

    bool is_ready(Instant) noexcept override { return is_taken_; }
    bool end() noexcept override;
    std::size_t size() const noexcept { return bytes().size(); }
    void note_taken() noexcept { is_taken_ = true; }

   private:
    std::string_view bytes() const noexcept { return is_own_ ? std::string_view{own_} : bytes_; }

    Outflow& outflow_;
    std::string_view bytes_{};
    std::string own_{};
    bool is_own_ = false;
    bool is_taken_ = false;
};

/// The wait for the stop of the server.
class [[nodiscard("stopping() does nothing without co_await")]] StreamStop final : public Awaited {
   public:
    explicit StreamStop(const Outflow& outflow) noexcept : outflow_{outflow} {}
    bool begin(Runner&) const noexcept;
    void await_resume() const noexcept {}
    bool is_ready(Instant) noexcept override;

   private:
    const Outflow& outflow_;
};

/// The producer of the content: a coroutine, or a callback that keeps the stream.
class Producer {
   public:
    virtual ~Producer() = default;
    /// Null for a callback.
    virtual std::optional<Task<>> start(std::shared_ptr<Outflow> outflow) = 0;
};

template <typename Out, typename Give>
struct ProducerOf final : Producer {
    static_assert(std::invocable<Give&, Out>,
                  "what makes the content takes its Stream, or its Events, by value");
    explicit ProducerOf(Give&& own) : give{std::move(own)} {}
    std::optional<Task<>> start(std::shared_ptr<Outflow> outflow) override {
        using Result = std::invoke_result_t<Give&, Out>;
        static_assert(std::is_void_v<Result> || std::same_as<Result, Task<>>,
                      "what makes the content returns Task<>, or nothing if it is a callback");
        if constexpr (std::same_as<Result, Task<>>) {
            return give(Out{std::move(outflow)});
        } else {
            give(Out{std::move(outflow)});
            return std::nullopt;
        }
    }
    Give give;
};

/// `events`: null for content of another type.
Response stream_of(const Call& call, std::string_view media_type,
                   std::unique_ptr<Producer> producer, const StreamOptions& options,
                   const EventOptions* events);

}  // namespace detail

/// The content of a response, made while it is sent; see stream(). Movable. If a callback destroys
/// it without end(), the peer sees that the content is incomplete.
class Stream {
   public:
    explicit Stream(std::shared_ptr<detail::Outflow> outflow) noexcept;
    Stream(Stream&&) noexcept;
    Stream& operator=(Stream&&) = delete;
    ~Stream();

    /// `co_await stream.write(bytes)`: returns when the kernel has taken all bytes, so a slow peer
    /// slows the coroutine down. Any size. The bytes are borrowed until then, but for those of a
    /// temporary string.
    detail::Write write(std::string_view bytes) noexcept { return {*outflow_, bytes}; }
    detail::Write write(const char* text) noexcept { return write(std::string_view{text}); }
    detail::Write write(std::string&& bytes) noexcept { return {*outflow_, std::move(bytes)}; }

    /// The same for callbacks, from any thread: `done(true)` is called on the connection's thread
    /// when the kernel has taken the data; `done(false)` if the response has ended before, at once
    /// if that is known. `done` must not throw. Pieces are sent in the order of the calls.
    template <typename Callback>
    void write(std::string data, Callback done) {
        put(std::move(data), std::make_unique<detail::DoneCallback<Callback>>(std::move(done)));
    }
    /// Completes the content. For callbacks; a coroutine returns.
    void end() noexcept;

    /// `co_await when_any(stream.stopping(), sleep_for(1s))`: returns when the server stops. A
    /// stream that would not end by itself then ends soon; server::Options::stop_timeout cuts it.
    detail::StreamStop stopping() const noexcept { return detail::StreamStop{*outflow_}; }
    /// The same for callbacks, from any thread: the token is stopped when the server stops, or when
    /// the response has ended. The function of a std::stop_callback must not throw.
    std::stop_token stopping_token() const;
    /// The token is stopped when the response ends before it is complete.
    std::stop_token stop_token() const noexcept;

   private:
    friend class Events;
    void put(std::string data, std::unique_ptr<detail::Done> done);

    std::shared_ptr<detail::Outflow> outflow_;
};

/// A response whose content is made while it is sent. `give` is a coroutine, `Task<>(Stream)`, or a
/// callback, `void(Stream)`, that keeps the stream and writes to it from any thread. The library
/// keeps `give`, and its captures, until the response has ended. It is called on the connection's
/// thread when the head is about to be sent; not at all for HEAD, or for a size of 0. If the peer
/// leaves, the coroutine ends where it waits. If it throws, the peer sees that the content is
/// incomplete.
template <typename Give>
Response stream(const Call& call, std::string_view media_type, Give give,
                const StreamOptions& options = {}) {
    return detail::stream_of(call, media_type,
                             std::make_unique<detail::ProducerOf<Stream, Give>>(std::move(give)),
                             options, nullptr);
}

}  // namespace weir::web
