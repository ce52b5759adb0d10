#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include "weir/http/handler.h"
#include "weir/web/response.h"
#include "weir/web/task.h"

namespace weir::web {

class Body;
class Router;

namespace detail {

struct Route;
class Conversation;

/// A value of any type that middleware has left for the handler.
struct AnyNote {
    std::type_index type;
    std::unique_ptr<void, void (*)(void*)> value;
};

/// Results of middleware for the handler.
struct Notes {
    std::string user{};
    std::string request_id{};
    std::string trace_id{};               // 32 hexadecimal digits
    std::string span_id{};                // 16 of them
    std::chrono::milliseconds time{0};    // for the response; 0: no limit by middleware
    std::uint64_t content_bytes_max = 0;  // 0: no limit by middleware
    std::vector<AnyNote> others{};
};

/// One request on its way through a router. On the stack if the handler responds at once.
struct CallState {
    static constexpr std::size_t parameters_max = 16;
    struct Parameter {
        std::uint32_t begin;  // in the path, or in `decoded`
        std::uint32_t size;
        bool is_decoded;
    };

    explicit CallState(const http::Request& of) noexcept : request{&of} {}

    std::string_view text_of(const Parameter& parameter) const noexcept;
    Notes& own_notes() {
        if (!notes) notes = std::make_unique<Notes>();
        return *notes;
    }

    const http::Request* request;
    const Route* route = nullptr;
    std::uint32_t count = 0;    // of parameters; the route has their names
    std::uint32_t reached = 0;  // the middleware that has let the request pass, from the outermost
    std::uint32_t around = 0;   // of these, the ones that wait for the response themselves
    std::array<Parameter, parameters_max> parameters;
    std::string decoded{};  // parameters that have an escape in the path
    std::unique_ptr<Notes> notes{};
};

/// The whole text as a value, for example "7" as an int; null if it is none.
template <typename Value>
std::optional<Value> value_from(std::string_view text) {
    if constexpr (std::same_as<Value, std::string_view> || std::same_as<Value, std::string>) {
        return Value{text};
    } else if constexpr (std::same_as<Value, bool>) {
        if (text == "true" || text == "1") return true;
        if (text == "false" || text == "0") return false;
        return std::nullopt;
    } else if constexpr (std::is_arithmetic_v<Value>) {
        Value value{};
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc{} || stopped != end) return std::nullopt;
        return value;
    } else {
        static_assert(std::is_arithmetic_v<Value>,
                      "only numbers, bool and strings are read from text: specialize FromText for "
                      "this type, and use path_as(), query_as(), field_as() or form_as()");
        return std::nullopt;
    }
}

}  // namespace detail

/// A request, as a handler of a router gets it, and the obligation to respond.
///
/// A function that returns its response gets a `const Call&`. Until it returns, all views live, and
/// it may use all members that are not only for callbacks or coroutines.
///
/// A callback (`void(Call)`) and a coroutine (`Task<Response>(Call)`) own their call, and with it
/// the request: all views live as long as the call. A callback responds by respond(), from any
/// thread; if the call is destroyed before that, the response is a 500. The result of a coroutine
/// is its response. A call is not thread-safe: one thread at a time may use it.
class Call {
   public:
    Call(Call&&) noexcept = default;
    Call& operator=(Call&&) = delete;
    ~Call();

    // ---- the request ----

    const http::Request& request() const noexcept { return *state_->request; }
    http::Method method() const noexcept { return request().method(); }
    std::string_view path() const noexcept { return request().path(); }

    /// The part of the path that `{name}` of the route's pattern matched, decoded. Throws
    /// std::invalid_argument if the pattern has no such name; see has_parameter(). Empty if the
    /// router itself responds (404, 405), because there is no pattern.
    std::string_view parameter(std::string_view name) const;
    /// True if the route's pattern has that name. For middleware and handlers of several routes.
    bool has_parameter(std::string_view name) const noexcept;
    /// The parameter as a number, a bool ("true", "1", "false", "0") or a string. Null if the text
    /// is not exactly one, or is out of range.
    template <typename Value>
    std::optional<Value> parameter(std::string_view name) const {
        return detail::value_from<Value>(parameter(name));
    }

    /// The first field of the query with that name, decoded ("+" is a space). Null if there is
    /// none.
    std::optional<std::string> query(std::string_view name) const;
    /// The field as a number, bool or string; null also if the text is not exactly one.
    template <typename Value>
    std::optional<Value> query(std::string_view name) const {
        const auto text = query(name);
        return text ? detail::value_from<Value>(*text) : std::nullopt;
    }

    /// The first field line with that name.
    std::optional<std::string_view> field(std::string_view name) const noexcept {
        return request().field(name);
    }
    /// The value of the first cookie with that name, without quotes. Null if there is none.
    std::optional<std::string_view> cookie(std::string_view name) const noexcept;
    /// The media type of the content, in lower case and without parameters; empty if there is none.
    std::string content_type() const;
    /// The content. Functions and callbacks are called after it was read (up to
    /// http::Limits::content_bytes_max, or content_limit(); more is a 413). Coroutines get it by
    /// body().
    std::string_view content() const noexcept { return request().content(); }
    /// The content as it arrives. For coroutines only, once.
    Body body() noexcept;

    /// The peer's address without a port: "192.0.2.7", "2001:db8::7" or "unix:". Valid even after
    /// the peer has left.
    std::string peer_address() const;

    // ---- results of middleware; empty without it ----

    /// The authenticated user: that of basic_auth(), or the result of the check of bearer_auth().
    std::string_view user() const noexcept;
    std::string_view request_id() const noexcept;
    /// The W3C trace context of this request: 32 hexadecimal digits.
    std::string_view trace_id() const noexcept;
    /// "00-<trace>-<span>-01", for calls to other services.
    std::string traceparent() const;

    /// Keeps a value for the handler and for other middleware of this request, one of each type.
    /// Replaces an earlier one, which ends. It lives as long as the request. For the connection's
    /// thread: a callback that has gone to another thread does not call it.
    template <typename Value>
    Value& set(Value value) const {
        std::unique_ptr<void, void (*)(void*)> own{
            new Value(std::move(value)), [](void* old) { delete static_cast<Value*>(old); }};
        return *static_cast<Value*>(keep(typeid(Value), std::move(own)));
    }
    /// The value of that type, or null. Valid until set() replaces it.
    template <typename Value>
    Value* get() const noexcept {
        return static_cast<Value*>(kept(typeid(Value)));
    }

    // ---- the time ----

    /// The time by the clock of the connection's engine.
    Instant now() const;
    /// The token is stopped when the request ends without its response: the peer has left, the time
    /// is over, or the server has waited for server::Options::stop_timeout at its stop. Until then, a
    /// stop lets requests under way go on. A peer that only shuts down its side counts as one that
    /// has left, unless http::Limits::half_close is set. For callbacks and coroutines; a function's
    /// token is never stopped.
    std::stop_token stop_token() const noexcept;

    // ---- the response ----

    /// Sends the response. For callbacks, from any thread; once: the first one holds, also if the
    /// callback throws behind it. Does nothing if the request has ended. Does not throw.
    void respond(Response response) noexcept;

    /// For this library.
    detail::CallState& state() const noexcept { return *state_; }
    const std::shared_ptr<detail::Conversation>& conversation() const noexcept {
        return conversation_;
    }
    explicit Call(detail::CallState& state) noexcept : state_{&state} {}
    explicit Call(std::shared_ptr<detail::Conversation> conversation) noexcept;

    /// Of a callback: the response is a 500 if the call is destroyed without one.
    struct Owed {};
    Call(std::shared_ptr<detail::Conversation> conversation, Owed) noexcept;

   private:
    void* keep(std::type_index type, std::unique_ptr<void, void (*)(void*)> value) const;
    void* kept(std::type_index type) const noexcept;

    detail::CallState* state_;
    std::shared_ptr<detail::Conversation> conversation_{};  // null for functions
    bool is_owed_ = false;
};

}  // namespace weir::web
