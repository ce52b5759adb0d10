#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::rules {

/// The names of the two files. Add them to site::Options::hidden: they are not for clients.
inline constexpr std::array<std::string_view, 2> folder_rule_files{"/_headers", "/_redirects"};

struct FolderRuleOptions {
    /// True: the rules are only for requests below a prefix (http::Request::prefix()).
    bool below_prefix = false;
    /// Gets one sentence about a line that is ignored, or about a file that can't be read: once for
    /// each state of a file, in all processes of a server, and for 20 lines at most. Any thread
    /// that handles requests may call it. It must not block.
    std::function<void(std::string_view)> notice{};
};

/// A handler that follows `_headers` and `_redirects` at the top of the site's root, in the format
/// of Netlify and Cloudflare Pages; docs/serve.md names the parts that it supports. It reads the
/// files at once, when the root leads to another directory, and when they change; it checks for
/// changes once a second at most. Each file has up to 256 KB, 2,000 rules and 2,000 bytes a line. A
/// line with a fault is ignored.
///
/// `_redirects` is for GET and HEAD. A rule that is not forced holds if `files` responds with 404:
/// `files` is the site, with the handlers around it that serve more than its files, and without
/// rules of access. `inner` is all that is around the site. If a rule rewrites a request, `inner`
/// gets it with the new path, once. If a rule redirects a request, `inner` gets it first, so that a
/// refusal (401, 403, 429) stays.
///
/// All three must outlive the result.
std::unique_ptr<http::Handler> follow_folder_rules(http::Handler& inner, http::Handler& files,
                                                   const site::Site& site,
                                                   FolderRuleOptions options = {});

}  // namespace weir::rules
