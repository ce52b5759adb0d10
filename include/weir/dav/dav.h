#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/http/handler.h"
#include "weir/site/site.h"
#include "weir/upload/upload.h"

/// WebDAV (RFC 4918, class 1 and 2) for folders that take uploads: the library weir-dav. It needs
/// Expat.
namespace weir::dav {

struct Options {
    /// The folders with WebDAV, as in upload::Options. Each is one of those, or lies below one.
    std::vector<std::string> folders{""};
    /// The longest time of a lock; a client may renew it.
    std::chrono::seconds lock_time_max{3600};
};

/// A handler that takes uploads as upload::around() does, and in `options.folders` the methods of
/// WebDAV: OPTIONS, PROPFIND, PROPPATCH, MKCOL, PUT, DELETE, COPY, MOVE, LOCK and UNLOCK. A PUT
/// there replaces a file of the same name. All of them but OPTIONS pass `uploads.guard`: PROPFIND
/// lists names that no page may link to. GET and HEAD go to `inner` at once, which must outlive the
/// handler: a Site with the options `site`, or a handler around it.
///
/// A client may keep dump.sql.gz beside dump.sql, with other content. So give the folders to the
/// site, too (site::Options::precompressed_not_in); otherwise it sends one in place of the other.
///
/// Names, limits and the quota are those of uploads. Files that the site hides or withholds, links,
/// and files that site::Options::leaves_out names can be neither seen nor changed, and a folder
/// with such a thing can be neither deleted nor moved. The folders of `options.folders` themselves
/// stay. No file becomes executable.
///
/// Locks and their tokens lie in memory that forked processes share: make the handler before the
/// server forks. They end with the server. Up to 1,000 locks can be held at a time. Properties of
/// clients lie in an extended attribute of their file, with up to 16 KB for each file; where the
/// file system has none, they are refused.
///
/// Threads beside the event loops do the work.
///
/// The error is a sentence without its full stop: Expat is not there, a folder does not take
/// uploads, or upload::around() has failed.
std::expected<std::unique_ptr<http::Handler>, std::string> around(http::Handler& inner,
                                                                  const site::Options& site,
                                                                  const upload::Options& uploads,
                                                                  const Options& options);

/// Why there is no WebDAV: the build has no Expat. Empty if it is there.
std::string_view unavailable();

}  // namespace weir::dav
