#include "web/routing/route_tree.h"

#include <algorithm>
#include <cstdint>

#include "weir/http/field_name.h"

namespace weir::web {

using detail::CallState;
using detail::Route;
using http::Method;
using http::Request;

namespace {

/// "api.example.org" of "API.example.org:8080".
std::string_view host_without_port(std::string_view authority) noexcept {
    const std::size_t colon = authority.rfind(':');
    if (colon == authority.npos || authority.find(']', colon) != authority.npos) return authority;
    return authority.substr(0, colon);
}

bool is_dot_segment(std::string_view segment) noexcept { return segment == "." || segment == ".."; }

bool has_dot_segment(std::string_view path) noexcept {
    for (;;) {
        const std::size_t slash = path.find('/');
        if (is_dot_segment(path.substr(0, slash))) return true;
        if (slash == path.npos) return false;
        path.remove_prefix(slash + 1);
    }
}

}  // namespace

/// One walk through the tree, which notes the parameters on its way.
class RouteTree::Search {
   public:
    Search(std::string_view path, CallState& call) noexcept
        : path_{path}, call_{call}, has_escapes_{path.find('%') != path.npos} {}

    /// `left` is the part of the path behind the segment of `node`: empty, or from a slash on.
    const Route* walk(const Node& node, std::string_view left) {
        if (left.empty()) return node.here;
        left.remove_prefix(1);
        const std::string_view segment = left.substr(0, segment_size(left));
        const std::string_view after = left.substr(segment.size());
        if (!segment.empty()) [[likely]] {
            if (const Node* const next = literal(node, segment))
                if (const Route* const route = walk(*next, after)) return route;
            if (node.one)
                if (const Route* const route = walk_with(*node.one, segment, after)) return route;
        } else if (after.empty() && node.end != nullptr) {
            return node.end;
        }
        if (node.rest != nullptr) note_rest(left);
        return node.rest;
    }
    /// True if a pattern below `node` is `left` and a slash.
    bool lacks_slash(const Node& node, std::string_view left) const {
        if (left.empty()) return node.end != nullptr || node.rest != nullptr;
        left.remove_prefix(1);
        const std::string_view segment = left.substr(0, segment_size(left));
        if (segment.empty()) return false;
        const std::string_view after = left.substr(segment.size());
        const Node* const next = literal(node, segment);
        return (next != nullptr && lacks_slash(*next, after)) ||
               (node.one && lacks_slash(*node.one, after));
    }
    void restart() noexcept { call_.count = 0; }
    std::string_view path() const noexcept { return path_; }

    /// True for an escape, or a segment that starts with a dot: then check() must decide.
    bool is_suspicious() const noexcept { return has_escapes_ || has_dots_; }
    /// False if no handler must see the path. Decodes the parameters.
    bool check() {
        if (has_escapes_) {
            std::string whole;
            if (!append_decoded(whole, path_)) return false;
            for (std::uint32_t i = 0; i < call_.count; ++i) decode(call_.parameters[i]);
        }
        for (std::uint32_t i = 0; i < call_.count; ++i)
            if (has_dot_segment(call_.text_of(call_.parameters[i]))) return false;
        return true;
    }

   private:
    const Node* literal(const Node& node, std::string_view segment) const {
        if (has_escapes_) [[unlikely]] {
            std::string decoded;
            if (!append_decoded(decoded, segment)) return nullptr;
            return next(node, decoded);
        }
        return next(node, segment);
    }
    static const Node* next(const Node& node, std::string_view segment) noexcept {
        const auto* const found = node.literals.find(segment);
        return found != nullptr ? found->get() : nullptr;
    }
    /// Most segments are short: a call of memchr(3) would cost more.
    static std::size_t segment_size(std::string_view text) noexcept {
        std::size_t size = 0;
        while (size < text.size() && text[size] != '/') ++size;
        return size;
    }
    const Route* walk_with(const Node& node, std::string_view segment, std::string_view after) {
        const std::uint32_t before = call_.count;
        note(segment);
        const Route* const route = after.empty() ? node.here : walk(node, after);
        if (route == nullptr) [[unlikely]]
            call_.count = before;
        return route;
    }
    void note_rest(std::string_view text) noexcept {
        note(text);
        has_dots_ = has_dots_ || text.find("/.") != text.npos;
    }
    void note(std::string_view text) noexcept {
        has_dots_ = has_dots_ || text.starts_with('.');
        call_.parameters[call_.count++] = {static_cast<std::uint32_t>(text.data() - path_.data()),
                                           static_cast<std::uint32_t>(text.size()), false};
    }
    void decode(CallState::Parameter& parameter) {
        const std::string_view raw = path_.substr(parameter.begin, parameter.size);
        const std::size_t begin = call_.decoded.size();
        append_decoded(call_.decoded, raw);
        parameter = {static_cast<std::uint32_t>(begin),
                     static_cast<std::uint32_t>(call_.decoded.size() - begin), true};
    }

    std::string_view path_;
    CallState& call_;
    bool has_escapes_;
    bool has_dots_ = false;
};

std::unique_ptr<RouteTree::Node>& RouteTree::Host::root_of(std::string_view method) {
    if (method.empty()) return by_any_method;
    const Method known = http::method_from(method);
    if (known != Method::unknown) return by_method[static_cast<std::size_t>(known)];
    for (auto& [other, root] : by_other_method)
        if (other == method) return root;
    return by_other_method.emplace_back(method, nullptr).second;
}

const RouteTree::Node* RouteTree::Host::find_root(const Request& request) const noexcept {
    if (request.method() != Method::unknown)
        return by_method[static_cast<std::size_t>(request.method())].get();
    for (const auto& [other, root] : by_other_method)
        if (other == request.method_text()) return root.get();
    return nullptr;
}

void RouteTree::add(Route& route) {
    const Pattern& pattern = route.pattern;
    Host* host = &every_host_;
    if (!pattern.host().empty()) {
        const auto known = std::ranges::find(hosts_, pattern.host(), &Host::name);
        host = known != hosts_.end() ? &*known : &hosts_.emplace_back(pattern.host());
    }
    std::unique_ptr<Node>* at = &host->root_of(pattern.method());
    if (!*at) *at = std::make_unique<Node>();
    for (const Pattern::Segment& segment : pattern.segments()) {
        Node& node = **at;
        switch (segment.kind) {
            case Pattern::Segment::Kind::end: node.end = &route; return;
            case Pattern::Segment::Kind::rest: node.rest = &route; return;
            case Pattern::Segment::Kind::one: at = &node.one; break;
            case Pattern::Segment::Kind::literal: at = &node.literals.at(segment.text); break;
        }
        if (!*at) *at = std::make_unique<Node>();
    }
    (*at)->here = &route;
}

const Route* RouteTree::find(const Host& host, const Request& request, Search& search) {
    const auto walk = [&search](const Node* root) {
        search.restart();
        return root != nullptr ? search.walk(*root, search.path()) : nullptr;
    };
    if (const Route* const route = walk(host.find_root(request))) return route;
    if (request.method() == Method::head)
        if (const Route* const route =
                walk(host.by_method[static_cast<std::size_t>(Method::get)].get()))
            return route;
    return walk(host.by_any_method.get());
}

const RouteTree::Host* RouteTree::host_of(const Request& request) const {
    if (hosts_.empty()) return nullptr;
    const std::string_view name = host_without_port(request.authority());
    const auto known = std::ranges::find_if(
        hosts_, [&](const Host& host) { return http::equals_ignoring_case(host.name, name); });
    return known != hosts_.end() ? &*known : nullptr;
}

RouteTree::Found RouteTree::find(const Request& request, CallState& call) const {
    const std::string_view path = request.path();
    if (!path.starts_with('/')) return {};
    Search search{path, call};
    const Host* const host = host_of(request);
    const Route* route = host != nullptr ? find(*host, request, search) : nullptr;
    if (route == nullptr) route = find(every_host_, request, search);
    call.route = route;
    if (route == nullptr || route->is_mounted()) return {.route = route};
    if (search.is_suspicious() && !search.check()) [[unlikely]]
        return {.is_malformed = true};
    return {.route = route};
}

const Route* RouteTree::match(const Request& request, std::string_view path) const {
    if (!path.starts_with('/')) return nullptr;
    CallState unused{request};
    Search search{path, unused};
    const Host* const host = host_of(request);
    const Route* const route = host != nullptr ? find(*host, request, search) : nullptr;
    return route != nullptr ? route : find(every_host_, request, search);
}

bool RouteTree::lacks_slash(const Request& request) const {
    CallState unused{request};
    const Search search{request.path(), unused};
    const auto is_below = [&](const Node* root) {
        return root != nullptr && search.lacks_slash(*root, search.path());
    };
    const auto is_of = [&](const Host* host) {
        if (host == nullptr) return false;
        const bool is_head = request.method() == Method::head;
        return is_below(host->find_root(request)) || is_below(host->by_any_method.get()) ||
               (is_head && is_below(host->by_method[static_cast<std::size_t>(Method::get)].get()));
    };
    return is_of(host_of(request)) || is_of(&every_host_);
}

std::string RouteTree::allowed(const Request& request) const {
    constexpr std::array<std::string_view, 9> names{"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                    "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    CallState unused{request};
    Search search{request.path(), unused};
    std::string list;
    const auto add = [&](std::string_view name) {
        list.append(list.empty() ? "" : ", ").append(name);
    };
    const auto has = [&](auto root_of) {
        const auto matches = [&](const Host* host) {
            if (host == nullptr) return false;
            const Node* const root = root_of(*host);
            search.restart();
            return root != nullptr && search.walk(*root, search.path()) != nullptr;
        };
        return matches(host_of(request)) || matches(&every_host_);
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto of = [](std::size_t at) {
            return [at](const Host& host) { return host.by_method[at].get(); };
        };
        const bool by_get = names[i] == "HEAD" && has(of(0));
        if (by_get || has(of(i))) add(names[i]);
    }
    for (const Host* const host : {host_of(request), &every_host_})
        if (host != nullptr)
            for (const auto& [name, root] : host->by_other_method)
                if (has([&root](const Host&) { return root.get(); })) add(name);
    if (!list.empty() && list.find("OPTIONS") == list.npos) add("OPTIONS");
    return list;
}

}  // namespace weir::web
