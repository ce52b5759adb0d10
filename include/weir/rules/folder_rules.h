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
    /// Rules are for requests below a prefix alone (http::Request::prefix()).
    bool below_prefix = false;
    /// Told in one sentence of a line that is ignored, or of a file that can't be read: once for each
    /// state of a file, in all processes of a server, and of 20 lines at most. Any thread that handles
    /// requests may call it. It must not block.
    std::function<void(std::string_view)> notice{};
};

/// A handler that follows `_headers` and `_redirects` at the top of the site's root, in the format of
/// Netlify and Cloudflare Pages; docs/serve.md has what it knows of it. It reads them at once, when the
/// root leads to another directory, and when they change, which it looks for once a second at most. Each
/// has up to 256 KB, 2,000 rules and 2,000 bytes a line. A line with a fault is ignored.
///
/// `_redirects` is for GET and HEAD. A rule that is not forced holds where `files` answers 404: that is
/// the site, with the handlers around it that serve more than its files, and without rules of access.
/// `inner` is all that is around the site. A request that a rule rewrites has another path there, once.
/// One that a rule redirects is asked for there first, so that a refusal (401, 403, 429) stays.
///
/// All three must outlive it.
std::unique_ptr<http::Handler> follow_folder_rules(http::Handler& inner, http::Handler& files,
                                                   const site::Site& site,
                                                   FolderRuleOptions options = {});

}  // namespace weir::rules
