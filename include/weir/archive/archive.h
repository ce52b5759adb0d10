#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "weir/http/handler.h"
#include "weir/site/site.h"

/// Archives of folders, made while they are sent: the library weir-archive. It loads libarchive
/// (libarchive.so.13) when it is first asked for archives.
namespace weir::archive {

struct Options {
    /// Archives at a time, for each process. Others get 503 with Retry-After. Each has a buffer of up to
    /// 128 KB, what the compression takes (0.3 MB), and a file and a folder for each level open.
    std::size_t archives_max = 16;
};

/// A handler that answers "GET /folder/?archive=zip", "=tar" and "=tar.gz" with an archive of the folder,
/// and gives other requests to `inner`, which must outlive it: a Site with the options `site`, or what
/// stands around it. `inner` answers also where there is no such folder.
///
/// An archive has what a client can fetch, whether the folder is listed or not: no hidden names, nothing
/// that site::Options::leaves_out names (the handler must live as long as its answers), and no folder
/// that a link leads to, since links could lead in a circle. It has no Content-Length, no entity tag and
/// no ranges. Where a folder or a file can't be read because the system fails, or a file shrinks while
/// it is sent, the connection closes early.
///
/// The error is a sentence without its full stop: libarchive is not there.
std::expected<std::unique_ptr<http::Handler>, std::string> around(http::Handler& inner,
                                                                  const site::Options& site,
                                                                  Options options = {});

/// Why there are no archives: the build knows no libarchive, or it can't be loaded. Empty if it is there.
std::string_view unavailable();

}  // namespace weir::archive
