#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "web/routing/route.h"
#include "web/routing/segment_table.h"
#include "weir/http/method.h"
#include "weir/http/request.h"

namespace weir::web {

/// Finds the route of a request, in a time that depends on the length of the path, and not on the
/// number of routes. The tree must not have patterns that conflict: then the first match in the
/// order of search is the most specific.
class RouteTree {
   public:
    void add(detail::Route& route);

    struct Found {
        const detail::Route* route = nullptr;
        bool is_malformed = false;  // no handler must see this path
    };
    /// Sets the route and the parameters of `call`.
    Found find(const http::Request& request, detail::CallState& call) const;
    /// The route that find() would find for this path and the request's method and host; null if
    /// there is none.
    const detail::Route* match(const http::Request& request, std::string_view path) const;
    /// True if a pattern that ends in a slash matches this path and a slash, and nothing more.
    bool lacks_slash(const http::Request& request) const;
    /// The value of Allow: the methods with which a request for this path would find a route. Empty
    /// if there are none.
    std::string allowed(const http::Request& request) const;

   private:
    struct Node {
        SegmentTable<std::unique_ptr<Node>> literals{};
        std::unique_ptr<Node> one{};
        const detail::Route* here = nullptr;  // the path ends here, without a slash
        const detail::Route* end = nullptr;   // the path ends here, with a slash
        const detail::Route* rest = nullptr;  // any further path
    };
    /// The routes of one host.
    struct Host {
        std::string name{};  // empty: of all hosts
        std::array<std::unique_ptr<Node>, 9> by_method{};
        std::vector<std::pair<std::string, std::unique_ptr<Node>>> by_other_method{};
        std::unique_ptr<Node> by_any_method{};

        std::unique_ptr<Node>& root_of(std::string_view method);
        const Node* find_root(const http::Request& request) const noexcept;
    };
    class Search;

    static const detail::Route* find(const Host& host, const http::Request& request,
                                     Search& search);
    const Host* host_of(const http::Request& request) const;

    Host every_host_{};
    std::vector<Host> hosts_{};
};

}  // namespace weir::web
