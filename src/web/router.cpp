#include "weir/web/router.h"

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "http/answer/location.h"
#include "web/calling/call_continuation.h"
#include "web/calling/conversation.h"
#include "web/routing/route.h"
#include "web/routing/route_tree.h"

namespace weir::web {

using detail::CallState;
using detail::Endpoint;
using detail::response_of;
using detail::Route;
using http::Reply;
using http::Request;

struct detail::RouterState {
    struct Use {
        Pattern prefix;
        std::shared_ptr<Middleware> middleware;
    };

    void add(Pattern pattern, std::unique_ptr<Endpoint> endpoint);
    void use(Pattern prefix, std::shared_ptr<Middleware> middleware);
    void link(Route& route) const;

    Reply dispatch(CallState&& call);
    Reply invoke(CallState&& call);
    Reply go_on(const Request& request);
    Response answer_itself(const Request& request, bool is_malformed) const;
    Response answer_missing(const Request& request) const;

    std::vector<Use> uses;
    std::vector<std::unique_ptr<Route>> routes;
    std::vector<std::unique_ptr<http::Handler>> owned;  // mounted handlers
    RouteTree tree;
    AbandonedJobs jobs;
};

namespace {

using detail::RouterState;

/// The state between the two calls for a request whose handler needs the content.
struct Waiting final : http::Attachment {
    Waiting(const void* router, CallState&& state) : Attachment{router}, call{std::move(state)} {}
    CallState call;
};

/// Passes a request on to a handler that is mounted, which sees the path behind the prefix.
class MountedEndpoint final : public Endpoint {
   public:
    MountedEndpoint(http::Handler& handler, std::size_t prefix_segments) noexcept
        : Endpoint{Form::mounted}, handler_{handler}, prefix_segments_{prefix_segments} {}

    Reply pass_on(const Request& request) override {
        const auto outer = static_cast<std::uint32_t>(request.prefix().size());
        request.mount(outer + prefix_bytes(request.path()));
        Reply reply = handler_.handle(request);
        // A handler whose response comes later may have shared the request with another thread.
        if (!std::holds_alternative<http::Later>(reply)) request.mount(outer);
        return reply;
    }

   private:
    /// The pattern has matched: the path has this number of segments, and a slash behind them.
    std::uint32_t prefix_bytes(std::string_view path) const noexcept {
        std::size_t end = 0;
        for (std::size_t i = 0; i < prefix_segments_; ++i) end = path.find('/', end + 1);
        return static_cast<std::uint32_t>(end);
    }

    http::Handler& handler_;
    std::size_t prefix_segments_;
};

/// Calls the middleware of `call` in order, until one responds. `reached`: the number of those that
/// let the request pass.
std::optional<Response> run_before(CallState& call, std::size_t& reached) {
    const Call view{call};
    for (reached = 0; reached < call.route->chain.size(); ++reached)
        if (auto response = call.route->chain[reached]->before(view)) return response;
    return std::nullopt;
}

/// Calls the middleware also for a response that comes later.
class ChainedContinuation final : public http::Continuation {
   public:
    ChainedContinuation(CallState&& call, std::uint32_t prefix_bytes,
                        std::unique_ptr<http::Continuation> inner)
        : call_{std::move(call)},
          request_{call_.request->share()},
          prefix_bytes_{prefix_bytes},
          inner_{std::move(inner)} {}

    Reply resume() override {
        Reply reply = inner_->resume();
        if (auto* const response = std::get_if<Response>(&reply)) {
            request_->mount(prefix_bytes_);
            complete(call_, *response, call_.route->chain.size());
        }
        return reply;
    }
    Instant due() const noexcept override { return inner_->due(); }
    void cut() noexcept override { inner_->cut(); }

   private:
    CallState call_;
    std::shared_ptr<const Request> request_;
    std::uint32_t prefix_bytes_;  // as the middleware has seen it
    std::unique_ptr<http::Continuation> inner_;
};

Reply answer_of(Endpoint& endpoint, CallState& call) {
    if (endpoint.form == Endpoint::Form::mounted) return endpoint.pass_on(*call.request);
    try {
        return endpoint.answer(Call{call});
    } catch (const Refusal& refusal) {
        return detail::response_of(refusal);
    }
}

}  // namespace

Response detail::response_of(const Refusal& refusal) {
    return http::error_response(refusal.status(), refusal.what());
}

void detail::complete(CallState& state, Response& response, std::size_t count) {
    const Call view{state};
    while (count-- > 0) state.route->chain[count]->after(view, response);
}

Reply Endpoint::answer(const Call&) { std::unreachable(); }
void Endpoint::hand_over(Call&&) { std::unreachable(); }
Task<Response> Endpoint::start(Call&&) { std::unreachable(); }
Reply Endpoint::pass_on(const Request&) { std::unreachable(); }

// ---- adding ----

void RouterState::add(Pattern pattern, std::unique_ptr<Endpoint> endpoint) {
    for (const auto& route : routes)
        if (route->pattern.conflicts_with(pattern))
            throw std::invalid_argument{"the pattern \"" + pattern.text() + "\" conflicts with \"" +
                                        route->pattern.text() +
                                        "\": some request matches both, and neither is more "
                                        "specific"};
    auto route = std::make_unique<Route>(std::move(pattern), std::move(endpoint));
    route->jobs = &jobs;
    link(*route);
    tree.add(*routes.emplace_back(std::move(route)));
}

void RouterState::use(Pattern prefix, std::shared_ptr<Middleware> middleware) {
    uses.push_back({std::move(prefix), std::move(middleware)});
    for (const auto& route : routes) link(*route);
}

void RouterState::link(Route& route) const {
    route.chain.clear();
    for (const Use& use : uses)
        if (use.prefix.is_prefix_of(route.pattern)) route.chain.push_back(use.middleware.get());
    const Endpoint::Form form = route.endpoint->form;
    route.is_plain = route.chain.empty() &&
                     (form == Endpoint::Form::function || form == Endpoint::Form::at_head);
}

Routes& Routes::add_endpoint(std::string_view pattern, std::unique_ptr<Endpoint> endpoint) {
    const std::size_t slash = pattern.find('/');
    if (slash == pattern.npos)
        throw std::invalid_argument{"the pattern \"" + std::string{pattern} +
                                    "\" has no path: it must have a slash"};
    std::string whole{pattern.substr(0, slash)};
    whole.append(prefix_).append(pattern.substr(slash));
    state_->add(Pattern::from(whole), std::move(endpoint));
    return *this;
}

std::string Routes::with(std::string_view method, std::string_view path) {
    return std::string{method}.append(" ").append(path);
}

Routes& Routes::mount(std::string_view prefix, http::Handler& handler) {
    const std::string whole = prefix_ + std::string{prefix};
    const Pattern checked = Pattern::prefix_from(whole);
    if (!checked.names().empty())
        throw std::invalid_argument{"the prefix \"" + whole +
                                    "\" of a mounted handler has a "
                                    "wildcard"};
    state_->add(Pattern::from(whole.ends_with('/') ? whole : whole + '/'),
                std::make_unique<MountedEndpoint>(handler, checked.segments().size()));
    return *this;
}

Routes& Routes::mount(std::string_view prefix, std::unique_ptr<http::Handler> handler) {
    if (!handler)
        throw std::invalid_argument{"mount() was given no handler for \"" + prefix_ +
                                    std::string{prefix} + "\""};
    mount(prefix, *handler);
    state_->owned.push_back(std::move(handler));
    return *this;
}

Routes& Routes::use(std::shared_ptr<Middleware> middleware) {
    if (!middleware) throw std::invalid_argument{"use() was given no middleware"};
    state_->use(Pattern::prefix_from(prefix_), std::move(middleware));
    return *this;
}

Routes Routes::group(std::string_view prefix) const {
    if (prefix.ends_with('/')) prefix.remove_suffix(1);
    Pattern::prefix_from(prefix_ + std::string{prefix});  // throws if this is no prefix
    return {*state_, prefix_ + std::string{prefix}};
}

// ---- handling ----

Router::Router() : Router{std::make_unique<RouterState>()} {}
Router::Router(std::unique_ptr<RouterState> state) noexcept
    : Routes{*state, {}}, state_{std::move(state)} {}
// The jobs may use what lives as long as the router, or a little longer.
Router::~Router() { state_->jobs.wait(); }

Reply Router::handle(const Request& request) {
    if (request.attachment() != nullptr && request.attachment()->owner == state_.get()) [[unlikely]]
        return state_->go_on(request);
    CallState call{request};
    const auto [route, is_malformed] = state_->tree.find(request, call);
    if (route == nullptr) [[unlikely]]
        return state_->answer_itself(request, is_malformed);
    if (route->is_plain && !request.content_pending()) [[likely]] {
        try {
            return route->endpoint->answer(Call{call});
        } catch (const Refusal& refusal) {
            return response_of(refusal);
        }
    }
    return state_->dispatch(std::move(call));
}

/// Calls the middleware first.
Reply RouterState::dispatch(CallState&& call) {
    std::size_t reached = 0;
    if (auto refusal = run_before(call, reached)) {
        complete(call, *refusal, reached);
        return std::move(*refusal);
    }
    const Endpoint::Form form = call.route->endpoint->form;
    const bool reads_first = form == Endpoint::Form::function || form == Endpoint::Form::callback;
    if (!reads_first || !call.request->content_pending()) return invoke(std::move(call));
    const Request& request = *call.request;
    request.attach(std::make_unique<Waiting>(this, std::move(call)));
    return http::ReadContent{};
}

/// Goes on after the content has come.
Reply RouterState::go_on(const Request& request) {
    const auto attached = request.take_attachment();
    return invoke(std::move(static_cast<Waiting&>(*attached).call));
}

Reply RouterState::invoke(CallState&& call) {
    const Route& route = *call.route;
    Endpoint& endpoint = *route.endpoint;
    const bool is_later =
        endpoint.form == Endpoint::Form::callback || endpoint.form == Endpoint::Form::coroutine;
    if (!is_later) {
        const auto prefix_bytes = static_cast<std::uint32_t>(call.request->prefix().size());
        Reply reply = answer_of(endpoint, call);
        if (auto* response = std::get_if<Response>(&reply))
            complete(call, *response, route.chain.size());
        auto* const later = std::get_if<http::Later>(&reply);
        if (later && later->continuation && !route.chain.empty())
            later->continuation = std::make_unique<ChainedContinuation>(
                std::move(call), prefix_bytes, std::move(later->continuation));
        return reply;
    }
    auto conversation = std::make_shared<Conversation>(std::move(call));
    auto continuation = std::make_unique<CallContinuation>(conversation);
    if (endpoint.form == Endpoint::Form::callback)
        endpoint.hand_over(Call{std::move(conversation)});
    else
        continuation->start(endpoint.start(Call{std::move(conversation)}), route.endpoint);
    if (auto response = continuation->answer()) return std::move(*response);
    return http::Later{std::move(continuation)};
}

// ---- responses of the router itself ----

Response RouterState::answer_itself(const Request& request, bool is_malformed) const {
    Route nowhere{{}, nullptr};
    CallState call{request};
    call.route = &nowhere;
    for (const Use& use : uses)
        if (use.prefix.is_prefix_of(request.path())) nowhere.chain.push_back(use.middleware.get());
    std::size_t reached = 0;
    auto response = run_before(call, reached);
    if (!response)
        response = is_malformed ? http::error_response(Status::bad_request,
                                                       "The path of the request is malformed")
                                : answer_missing(request);
    complete(call, *response, reached);
    return std::move(*response);
}

Response RouterState::answer_missing(const Request& request) const {
    const std::string_view path = request.path();
    if (request.form() == http::TargetForm::asterisk) return Response{Status::no_content};
    if (!path.starts_with('/')) return http::error_response(Status::not_found);
    const std::string allow = tree.allowed(request);
    if (!allow.empty()) {
        const bool asks = request.method() == http::Method::options;
        return (asks ? Response{Status::no_content}
                     : http::error_response(Status::method_not_allowed))
            .add("Allow", allow);
    }
    std::string with_slash{path};
    with_slash += '/';
    if (path.ends_with('/') || !tree.has_match(request, with_slash))
        return http::error_response(Status::not_found);
    with_slash.insert(0, request.prefix());
    if (!request.query().empty()) with_slash.append("?").append(request.query());
    return http::error_response(Status::permanent_redirect)
        .add("Location", http::location_from(with_slash));
}

}  // namespace weir::web
