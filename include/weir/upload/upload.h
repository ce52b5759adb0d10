#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"

/// Files that clients put into folders of a site.
namespace weir::upload {

/// A handler around another one, or a sentence with the reason why there is none.
using Guarded = std::expected<std::unique_ptr<http::Handler>, std::string>;

/// The names of incomplete files, if they have one. A site that serves names that begin with a dot
/// must hide them (site::Options::hidden).
inline constexpr std::string_view hidden_names = ".weir-upload-*";

struct Options {
    /// The folders that accept files, with those below: decoded, relative to the root ("a/b"),
    /// without a slash at their ends. Empty text: the root.
    std::vector<std::string> folders{""};
    /// Bytes of one file. A larger one gets 413.
    std::uint64_t file_bytes_max = std::uint64_t{1} << 30U;
    /// Bytes of all files in `folders`, from any source; 0: no limit. An upload that would exceed
    /// it gets 507. Each upload reads the sizes of all files below twice.
    std::uint64_t quota_bytes = 0;
    /// False: a file gets 409 if its name is taken, or if the site would send it in place of
    /// another one: app.js.gz beside app.js.
    bool overwrites = false;
    /// Uploads at a time, in each process. Others get 503 with Retry-After. Each has a buffer of
    /// 128 KB and two descriptors.
    std::size_t uploads_max = 16;
    /// Makes a handler around the one that receives the files, which outlives it: to ask for
    /// passwords, for example. Requests that only read do not pass it. Null: no such handler.
    std::function<Guarded(http::Handler& uploads)> guard{};
};

/// A handler that receives files by "PUT /folder/name", and by "POST /folder/" of
/// multipart/form-data with each part that has a file name. It gives other requests to `inner`,
/// which must outlive it: a Site with the options `site`, or a handler around it. Allow names the
/// method for each path.
///
/// A file gets its name when it is complete and on the disk; otherwise nothing of it stays. Its
/// mode is 0644 and the umask. It is never put through a link or outside of the root, and no folder
/// is made. Names are UTF-8 of up to 255 bytes without control characters; they do not begin with a
/// dot unless the site has `dotfiles`, and are none that the site hides or withholds. Pages of
/// other origins get 403.
///
/// A file of a form gets 403 if site::Options::leaves_out is true for it: a rule is for its path,
/// and the request was for the folder.
///
/// PUT: 201 with Location, or 204 for a file that was replaced. If-Match, If-None-Match and
/// If-Unmodified-Since are honoured. POST: 303 to the folder, or JSON if Accept prefers it, with
/// the status of each file. A form without a file is an empty list in JSON, and else 400. If the
/// disk is full: 507.
///
/// Threads beside the event loops do the work. Make the handler before the server forks: all
/// processes share a lock, so that conditions and `quota_bytes` hold for all of them.
///
/// The error is a sentence without its full stop: a folder is missing or can't be written to, the
/// site is of one file, or `guard` failed.
std::expected<std::unique_ptr<http::Handler>, std::string> around(http::Handler& inner,
                                                                  const site::Options& site,
                                                                  const Options& options = {});

}  // namespace weir::upload
