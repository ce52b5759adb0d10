#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>

#include "weir/http/handler.h"
#include "weir/site/site.h"

/// Pages that a browser loads again when a file has changed: for development.
namespace weir::live {

struct Options {
    /// Pages that get news of changes at a time, in each process. Others get 503, and ask again. If
    /// a connection keeps a thread, `streams_max` should be less than the number of threads.
    std::size_t streams_max = 256;
};

/// A handler around a Site, or around other handlers around it. Each page that a browser shows gets
/// a script at its end: content of text/html with a status that has content, that is not a part, a
/// download or marked "no-transform". The script listens to server-sent events (HTML Standard, 9.2)
/// of "/.weir/live". If a style sheet has changed, the script loads the style sheets of the page
/// again; if another file has changed, it loads the page again. If a page was disconnected, for
/// example while the server was started again, its version is compared when it connects again.
///
/// A page with a script has no validators and no ranges, and no content coding of `inner`. If the
/// script needs it, 'self' or its nonce is added to a Content-Security-Policy. A policy in the page
/// itself (an element meta) is not changed. The responses to all GET and HEAD have "Cache-Control:
/// no-cache", unless they have "no-store": otherwise a page would come with old parts. Responses
/// that come through a Deferred are not changed.
///
/// Files that a client can't fetch (dotfiles, hidden and withheld files) make no page load, nor do
/// "node_modules" and names that end with "~". Only the first 50,000 names are read. Each client
/// that may ask for "/.weir/live" learns that a file changed, but not which. The server should be
/// reachable from this machine only.
/// reachable from this machine only.
class Reloader final : public http::Handler {
   public:
    struct State;
    explicit Reloader(std::unique_ptr<State> state) noexcept;
    ~Reloader() override;

    http::Reply handle(const http::Request& request) override;

    /// A handler around `outer`, which stands around this handler and adds fields to responses.
    /// With it, the Content-Security-Policy of `outer` lets pages run the script, too, and its
    /// Cache-Control keeps no file from being asked for. `outer` must outlive the result.
    std::unique_ptr<http::Handler> finish(http::Handler& outer) const;

    /// Starts the thread that watches the files. Call it in each process that serves, before it
    /// serves, and again in a forked one. If no thread can be started, pages get no news.
    void watch();
    /// Ends all event streams, in this process and in its forked children: the server would wait
    /// for them until its timeout. Call it before Server::stop(). Async-signal-safe; any thread.
    void end() noexcept;

   private:
    std::unique_ptr<State> state_;
};

/// `inner` must outlive the result. `site` has the options of the site: the files that it serves
/// are watched. The error is one sentence. It is an error if the site caches anything
/// (CacheOptions::entries_max and watches_max must be 0): the cache may notice a change later than
/// the page, which would then show the old file.
std::expected<std::unique_ptr<Reloader>, std::string> around(http::Handler& inner,
                                                             const site::Options& site,
                                                             Options options = {});

}  // namespace weir::live
