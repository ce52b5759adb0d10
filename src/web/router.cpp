#include "weir/web/router.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "http/answer/location.h"
#include "web/calling/call_continuation.h"
#include "web/calling/chain.h"
#include "web/calling/conversation.h"
#include "web/calling/errors.h"
#include "web/calling/mounted.h"
#include "web/routing/route.h"
#include "web/routing/route_tree.h"

namespace weir::web {

using detail::CallState;
using detail::Endpoint;
using detail::Route;
using http::Reply;
using http::Request;

struct detail::RouterState {
    struct Use {
        Pattern prefix;
        std::shared_ptr<Middleware> middleware;

        detail::Step step() const { return {middleware, middleware->around()}; }
    };

    void add(Pattern pattern, std::unique_ptr<Endpoint> endpoint);
    void use(Pattern prefix, std::shared_ptr<Middleware> middleware);
    void link(Route& route) const;

    Reply dispatch(CallState&& call);
    Reply invoke(CallState&& call);
    Reply converse(CallState&& call);
    Reply go_on(const Request& request);
    /// Why the router answers in place of a route.
    enum class Own : std::uint8_t { missing, malformed, without_slash };
    Reply answer_itself(const Request& request, Own why);
    Response answer_missing(CallState& call) const;

    std::vector<Use> uses;
    std::vector<std::shared_ptr<Route>> routes;
    std::vector<std::unique_ptr<http::Handler>> owned;  // mounted handlers
    RouteTree tree;
    Common common;
};

namespace {

using detail::RouterState;

/// The state between the two calls for a request whose handler needs the content.
struct Waiting final : http::Attachment {
    Waiting(const void* router, CallState&& state) : Attachment{router}, call{std::move(state)} {}
    std::optional<Response> refused(Status status, std::string_view reason) override {
        return detail::end_all_with(call, detail::refused(status, reason));
    }
    CallState call;
};

std::string_view name_of(Endpoint::Form form) noexcept {
    switch (form) {
        case Endpoint::Form::function: return "function";
        case Endpoint::Form::at_head: return "function at the head";
        case Endpoint::Form::callback: return "callback";
        case Endpoint::Form::coroutine: return "coroutine";
        case Endpoint::Form::mounted: return "mounted handler";
    }
    std::unreachable();
}

Response redirect_to_slash(const Request& request) {
    std::string target{request.prefix()};
    target.append(request.path()).append("/");
    if (!request.query().empty()) target.append("?").append(request.query());
    return http::error_response(Status::permanent_redirect)
        .add("Location", http::location_from(target));
}

/// True if `longer` ends in a slash, behind what `route` takes for the rest of a path.
bool is_folder_in(const Route& route, const Pattern& longer) noexcept {
    using Kind = Pattern::Segment::Kind;
    const auto& segments = route.pattern.segments();
    const Kind end = longer.segments().back().kind;
    return segments.back().kind == Kind::rest && (end == Kind::rest || end == Kind::end) &&
           segments.size() < longer.segments().size();
}

/// The router's own response to a request without a route.
class OwnEndpoint final : public Endpoint {
   public:
    OwnEndpoint(const RouterState& router, RouterState::Own why) noexcept
        : Endpoint{Form::at_head}, router_{router}, why_{why} {}

    Reply answer(const Call& call) override {
        if (why_ == RouterState::Own::without_slash) return redirect_to_slash(call.request());
        if (why_ == RouterState::Own::missing) return router_.answer_missing(call.state());
        return end_with(call.state(), {.kind = Error::Kind::no_route,
                                       .status = Status::bad_request,
                                       .detail = "The path of the request is malformed"});
    }

   private:
    const RouterState& router_;
    RouterState::Own why_;
};

}  // namespace

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
    auto route = std::make_shared<Route>(std::move(pattern), std::move(endpoint), common);
    for (const auto& other : routes) {
        route->may_lack_slash = route->may_lack_slash || is_folder_in(*route, other->pattern);
        if (!is_folder_in(*other, route->pattern)) continue;
        other->may_lack_slash = true;
        link(*other);
    }
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
        if (use.prefix.is_prefix_of(route.pattern)) route.chain.push_back(use.step());
    const Endpoint::Form form = route.endpoint->form;
    route.is_plain = route.chain.empty() && !route.may_lack_slash &&
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
                std::make_unique<detail::MountedEndpoint>(handler, checked.segments().size()));
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

std::string Router::routes() const {
    std::size_t widest = 0;
    for (const auto& route : state_->routes)
        widest = std::max(widest, route->pattern.text().size());
    std::string table;
    for (const auto& route : state_->routes) {
        table += route->pattern.text();
        table.append(widest + 2 - route->pattern.text().size(), ' ');
        for (const detail::Step& step : route->chain)
            table.append(step.middleware->name()).append(" > ");
        table.append(name_of(route->endpoint->form)).append("\n");
    }
    return table;
}

std::vector<std::string> Router::patterns() const {
    std::vector<std::string> all;
    for (const auto& route : state_->routes) all.push_back(route->pattern.text());
    return all;
}

std::string_view Router::pattern_of(const Request& request) const noexcept {
    const std::string_view prefix = request.prefix(), path = request.path();
    // A mounted handler that has responded later still sees the rest of the path only.
    const std::string_view whole =
        prefix.empty() ? path : std::string_view{prefix.data(), prefix.size() + path.size()};
    const Route* const route = state_->tree.match(request, whole);
    return route != nullptr ? std::string_view{route->pattern.text()} : std::string_view{};
}

Router& Router::on_error(std::function<std::optional<Response>(const Error& error)> make) {
    state_->common.on_error = std::move(make);
    return *this;
}

// ---- handling ----

Router::Router() : Router{std::make_unique<RouterState>()} {}
Router::Router(std::unique_ptr<RouterState> state) noexcept
    : Routes{*state, {}}, state_{std::move(state)} {}
// The jobs may use what lives as long as the router, or a little longer.
Router::~Router() { state_->common.jobs.wait(); }

Reply Router::handle(const Request& request) {
    if (request.attachment() != nullptr && request.attachment()->owner == state_.get()) [[unlikely]]
        return state_->go_on(request);
    CallState call{request};
    const auto [route, is_malformed] = state_->tree.find(request, call);
    if (route == nullptr) [[unlikely]]
        return state_->answer_itself(
            request, is_malformed ? RouterState::Own::malformed : RouterState::Own::missing);
    if (route->is_plain && !request.content_pending()) [[likely]] {
        try {
            return route->endpoint->answer(Call{call});
        } catch (...) {
            return detail::end_with_exception(call);
        }
    }
    return state_->dispatch(std::move(call));
}

/// Calls the middleware first.
Reply RouterState::dispatch(CallState&& call) {
    if (call.route->may_lack_slash && tree.lacks_slash(*call.request)) [[unlikely]]
        return answer_itself(*call.request, Own::without_slash);
    try {
        if (auto response = run_before(call)) {
            complete(call, *response);
            return std::move(*response);
        }
    } catch (...) {
        return end_with_exception(call);
    }
    if (call.route->around(call.reached) != nullptr) return converse(std::move(call));
    const Endpoint::Form form = call.route->endpoint->form;
    const bool reads_first = form == Endpoint::Form::function || form == Endpoint::Form::callback;
    if (!reads_first || !call.request->content_pending()) return invoke(std::move(call));
    const Request& request = *call.request;
    Reply reply = limited(http::ReadContent{}, call);
    request.attach(std::make_unique<Waiting>(this, std::move(call)));
    return reply;
}

/// Goes on after the content has come.
Reply RouterState::go_on(const Request& request) {
    const auto attached = request.take_attachment();
    return invoke(std::move(static_cast<Waiting&>(*attached).call));
}

Reply RouterState::invoke(CallState&& call) {
    const Route& route = *call.route;
    Endpoint& endpoint = *route.endpoint;
    if (endpoint.form == Endpoint::Form::callback || endpoint.form == Endpoint::Form::coroutine)
        return converse(std::move(call));
    try {
        const auto prefix_bytes = static_cast<std::uint32_t>(call.request->prefix().size());
        Reply reply = limited(reply_of(endpoint, call), call);
        if (auto* response = std::get_if<Response>(&reply)) complete(call, *response);
        auto* const later = std::get_if<http::Later>(&reply);
        if (later && later->continuation && !route.chain.empty())
            later->continuation = std::make_unique<detail::ChainedContinuation>(
                std::move(call), prefix_bytes, std::move(later->continuation));
        return reply;
    } catch (...) {
        return end_with_exception(call);
    }
}

/// The response may come later.
Reply RouterState::converse(CallState&& call) {
    const auto route = call.route->shared_from_this();
    const bool is_around = route->around(call.reached) != nullptr;
    const auto conversation = std::make_shared<Conversation>(std::move(call));
    if (route->pattern.text().empty()) conversation->keep(route);
    auto continuation = std::make_unique<CallContinuation>(conversation);
    try {
        if (is_around)
            continuation->start(rest_of(conversation), route, true);
        else if (route->endpoint->form == Endpoint::Form::callback)
            detail::hand_over(conversation);
        else
            continuation->start(route->endpoint->start(Call{conversation}), route, false);
    } catch (...) {
        conversation->close();
        return end_with_exception(conversation->call());
    }
    if (auto response = continuation->answer()) return std::move(*response);
    return http::Later{std::move(continuation)};
}

// ---- responses of the router itself ----

/// Middleware sees these responses, too.
Reply RouterState::answer_itself(const Request& request, Own why) {
    const auto nowhere =
        std::make_shared<Route>(Pattern{}, std::make_unique<OwnEndpoint>(*this, why), common);
    for (const Use& use : uses)
        if (use.prefix.is_prefix_of(request.path())) nowhere->chain.push_back(use.step());
    CallState call{request};
    call.route = nowhere.get();
    return dispatch(std::move(call));
}

Response RouterState::answer_missing(CallState& call) const {
    const Request& request = *call.request;
    const std::string_view path = request.path();
    const auto error = [&](Status status, std::string_view allow = {}) {
        return end_with(call, {.kind = Error::Kind::no_route, .status = status, .allow = allow});
    };
    if (request.form() == http::TargetForm::asterisk) return Response{Status::no_content};
    if (!path.starts_with('/')) return error(Status::not_found);
    const std::string allow = tree.allowed(request);
    if (!allow.empty() && request.method() == http::Method::options)
        return Response{Status::no_content}.add("Allow", allow);
    if (!allow.empty()) return error(Status::method_not_allowed, allow);
    std::string with_slash{path};
    with_slash += '/';
    if (path.ends_with('/') || tree.match(request, with_slash) == nullptr)
        return error(Status::not_found);
    return redirect_to_slash(request);
}

}  // namespace weir::web
