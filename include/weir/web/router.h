#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/http/handler.h"
#include "weir/web/call.h"
#include "weir/web/error.h"
#include "weir/web/function_middleware.h"
#include "weir/web/middleware.h"
#include "weir/web/response.h"
#include "weir/web/task.h"

namespace weir::web {

namespace detail {

struct RouterState;

/// A handler of a route, in one of the forms that Routes::add() takes.
class Endpoint {
   public:
    enum class Form : unsigned char {
        function,   // answer(), when the content is there
        at_head,    // answer(), at the head
        callback,   // hand_over()
        coroutine,  // start()
        mounted,    // pass_on()
    };

    explicit Endpoint(Form of) noexcept : form{of} {}
    virtual ~Endpoint() = default;

    virtual http::Reply answer(const Call& call);
    virtual void hand_over(Call&& call);
    virtual Task<Response> start(Call&& call);
    virtual http::Reply pass_on(const http::Request& request);

    const Form form;
};

template <typename Result>
concept IsText = std::convertible_to<Result, std::string_view>;
template <typename Result>
concept IsAnswer = std::convertible_to<Result, Response> || IsText<Result>;

template <typename Result>
Response response_from(Result&& result) {
    if constexpr (std::convertible_to<Result, Response>)
        return Response{std::forward<Result>(result)};
    else
        return text(std::string{std::forward<Result>(result)});
}

template <typename Handler>
struct FunctionEndpoint final : Endpoint {
    explicit FunctionEndpoint(Handler&& own) : Endpoint{Form::function}, handler{std::move(own)} {}
    http::Reply answer(const Call& call) override {
        if constexpr (std::invocable<Handler&, const Call&>)
            return response_from(handler(call));
        else
            return response_from(handler());
    }
    Handler handler;
};

template <typename Handler>
struct AtHeadEndpoint final : Endpoint {
    explicit AtHeadEndpoint(Handler&& own) : Endpoint{Form::at_head}, handler{std::move(own)} {}
    http::Reply answer(const Call& call) override { return handler(call); }
    Handler handler;
};

template <typename Handler>
struct CallbackEndpoint final : Endpoint {
    explicit CallbackEndpoint(Handler&& own) : Endpoint{Form::callback}, handler{std::move(own)} {}
    void hand_over(Call&& call) override { handler(std::move(call)); }
    Handler handler;
};

template <typename Handler>
struct CoroutineEndpoint final : Endpoint {
    explicit CoroutineEndpoint(Handler&& own)
        : Endpoint{Form::coroutine}, handler{std::move(own)} {}
    Task<Response> start(Call&& call) override {
        if constexpr (std::invocable<Handler&, Call>)
            return handler(std::move(call));
        else
            return handler();
    }
    Handler handler;
};

/// The endpoint for a handler that returns a Result. The messages are for the programmer.
template <typename Result, typename Handler>
std::unique_ptr<Endpoint> endpoint_of_borrower(Handler handler) {
    static_assert(!is_task<Result>,
                  "a coroutine owns its call: take the Call by value, [](Call call) -> "
                  "Task<Response>");
    static_assert(
        !std::is_void_v<Result>,
        "a handler that takes const Call& returns its Response; a callback, which returns "
        "nothing, takes its Call by value and calls respond()");
    static_assert(is_task<Result> || std::is_void_v<Result> || std::same_as<Result, http::Reply> ||
                      IsAnswer<Result>,
                  "a handler returns Response, http::Reply or text");
    if constexpr (std::same_as<Result, http::Reply>)
        return std::make_unique<AtHeadEndpoint<Handler>>(std::move(handler));
    else if constexpr (IsAnswer<Result>)
        return std::make_unique<FunctionEndpoint<Handler>>(std::move(handler));
    else
        return nullptr;  // not compiled: see above. This keeps the compiler from saying more
}

template <typename Result, typename Handler>
std::unique_ptr<Endpoint> endpoint_of_owner(Handler handler) {
    static_assert(std::is_void_v<Result> || std::same_as<Result, Task<Response>>,
                  "a handler that takes a Call by value returns nothing (it calls respond()) or "
                  "Task<Response>");
    if constexpr (std::is_void_v<Result>)
        return std::make_unique<CallbackEndpoint<Handler>>(std::move(handler));
    else if constexpr (std::same_as<Result, Task<Response>>)
        return std::make_unique<CoroutineEndpoint<Handler>>(std::move(handler));
    else
        return nullptr;
}

template <typename Result, typename Handler>
std::unique_ptr<Endpoint> endpoint_without_call(Handler handler) {
    static_assert(IsAnswer<Result> || std::same_as<Result, Task<Response>>,
                  "a handler without a parameter returns Response, Task<Response> or text");
    if constexpr (IsAnswer<Result>)
        return std::make_unique<FunctionEndpoint<Handler>>(std::move(handler));
    else if constexpr (std::same_as<Result, Task<Response>>)
        return std::make_unique<CoroutineEndpoint<Handler>>(std::move(handler));
    else
        return nullptr;
}

template <typename Handler>
std::unique_ptr<Endpoint> endpoint_of(Handler handler) {
    constexpr bool takes_call = std::invocable<Handler&, const Call&> ||
                                std::invocable<Handler&, Call> || std::invocable<Handler&>;
    static_assert(takes_call, "a handler takes const Call&, Call, or nothing at all");
    if constexpr (std::invocable<Handler&, const Call&>)
        return endpoint_of_borrower<std::invoke_result_t<Handler&, const Call&>>(
            std::move(handler));
    else if constexpr (std::invocable<Handler&, Call>)
        return endpoint_of_owner<std::invoke_result_t<Handler&, Call>>(std::move(handler));
    else if constexpr (takes_call)
        return endpoint_without_call<std::invoke_result_t<Handler&>>(std::move(handler));
    else
        return nullptr;
}

}  // namespace detail

/// Adds routes to a router, or to a group of it, whose patterns start with a prefix. Add everything
/// before the router handles its first request.
///
/// A pattern is "[METHOD ][HOST]/[PATH]", as in Go 1.22:
///
///     GET /users/{id}        one segment, of any text
///     /files/{path...}       the rest of the path; also /files/ and /files/a/b
///     /images/               the rest without a name
///     GET /{$}               the path "/" and nothing more
///     api.example.org/       this host only, without its port
///
/// If several patterns match a request, the most specific one gets it: a pattern with a host before
/// one without, a literal segment before a wildcard, a method before none. If neither of two
/// patterns is more specific, and some request matches both, then they conflict.
///
/// A pattern with GET matches HEAD, too. The router itself responds to OPTIONS with Allow, and with
/// 405 and Allow, 404, or 308 for a path that a pattern matches with a "/" at the end. A path with
/// a malformed escape, or whose wildcard would match a segment "." or "..", is a 400.
///
/// A handler is one of these, by its type; several threads may call it at once:
///
///     Response (const Call&)      a function: responds at once. Content is read before the call.
///     http::Reply (const Call&)   the same, but is called at the head; see http::Handler.
///     void (Call)                 a callback: responds by Call::respond(), at once or later.
///                                 Content is read before the call.
///     Task<Response> (Call)       a coroutine: reads content as it wants to, see Body.
///
/// A handler that does not look at the request has no parameter: Response () or Task<Response> ().
/// A function may return a text in place of a Response: then it is text/plain.
///
/// The router owns its handlers; coroutines may use what a lambda captured.
class Routes {
   public:
    /// Throws std::invalid_argument if the pattern is malformed or conflicts with another one. Its
    /// text is a sentence for the programmer.
    template <typename Handler>
    Routes& add(std::string_view pattern, Handler handler) {
        return add_endpoint(pattern, detail::endpoint_of(std::move(handler)));
    }
    template <typename Handler>
    Routes& get(std::string_view path, Handler handler) {
        return add(with("GET", path), std::move(handler));
    }
    template <typename Handler>
    Routes& post(std::string_view path, Handler handler) {
        return add(with("POST", path), std::move(handler));
    }
    template <typename Handler>
    Routes& put(std::string_view path, Handler handler) {
        return add(with("PUT", path), std::move(handler));
    }
    template <typename Handler>
    Routes& patch(std::string_view path, Handler handler) {
        return add(with("PATCH", path), std::move(handler));
    }
    /// The method DELETE.
    template <typename Handler>
    Routes& del(std::string_view path, Handler handler) {
        return add(with("DELETE", path), std::move(handler));
    }

    /// Gives every request below a prefix without wildcards to `handler` (a site::Site, another
    /// Router, or any other), which sees the path behind the prefix: Request::path(). The handler
    /// must outlive the router.
    Routes& mount(std::string_view prefix, http::Handler& handler);
    /// The router owns the handler. Throws std::invalid_argument if it is null.
    Routes& mount(std::string_view prefix, std::unique_ptr<http::Handler> handler);

    /// Adds middleware for all routes whose patterns start with the group's prefix, also those that
    /// were added before, and for the router's own responses there. The first one added is the
    /// outermost. Throws std::invalid_argument if it is null.
    Routes& use(std::shared_ptr<Middleware> middleware);
    /// The same for a function, by its type; several threads may call it at once, and it must not
    /// block:
    ///
    ///     std::optional<Response> (const Call&)    before the handler; see Middleware::before()
    ///     void (const Call&)                       the same, and always lets the request pass
    ///     void (const Call&, Response&)            after it; see Middleware::after()
    ///     Task<Response> (Call, Next)              around it: `co_await next()` is its response
    ///
    /// One around the handler may wait before and behind it, and need not call next(). It is called
    /// at the head of the request; content is read when the handler, or it, asks for it.
    template <typename Function>
        requires(!std::convertible_to<Function, std::shared_ptr<Middleware>>)
    Routes& use(Function function) {
        return use(detail::middleware_of(std::move(function)));
    }

    /// A group of this router: its patterns start with this object's prefix and `prefix`, which may
    /// have wildcards. The group must not outlive the router.
    Routes group(std::string_view prefix) const;

   protected:
    Routes(detail::RouterState& state, std::string prefix) noexcept
        : state_{&state}, prefix_{std::move(prefix)} {}

   private:
    static std::string with(std::string_view method, std::string_view path);
    Routes& add_endpoint(std::string_view pattern, std::unique_ptr<detail::Endpoint> endpoint);

    detail::RouterState* state_;
    std::string prefix_;
};

/// Chooses the handler for each request. The router must outlive its server. Its destructor waits
/// for the functions of offload() that requests have left behind.
class Router final : public http::Handler, public Routes {
   public:
    Router();
    ~Router() override;
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    /// A table for people: each route with its middleware in order, the outermost first, and the
    /// form of its handler. One route a line, in the order in which they were added.
    std::string routes() const;
    /// The pattern of each route, in the order in which they were added.
    std::vector<std::string> patterns() const;
    /// The pattern of the route that gets this request; empty if there is none. For a router that is
    /// not mounted; see server::Options::finished. Valid as long as the router.
    std::string_view pattern_of(const http::Request& request) const noexcept;

    /// The function makes the response to each error of this router's requests: see Error for the
    /// kinds. It returns a Response, or nothing (std::optional<Response>) for the usual one, which is
    /// error_answer(). Middleware then gets the response as any other. A 405 has its Allow in any
    /// case. Several threads may call the function at once; it must not block. An exception of it
    /// becomes a 500. It is not called if there is no memory: that is a 503.
    Router& on_error(std::function<std::optional<Response>(const Error& error)> make);

    http::Reply handle(const http::Request& request) override;

   private:
    explicit Router(std::unique_ptr<detail::RouterState> state) noexcept;
    std::unique_ptr<detail::RouterState> state_;
};

}  // namespace weir::web
