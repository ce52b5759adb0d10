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
    /// Pages that are told of changes at a time, for each process. Others get 503, and ask again. Where
    /// a connection keeps a thread, it should be less than the threads.
    std::size_t streams_max = 256;
};

/// A handler around a Site, or around what stands around it. Each page that a browser shows gets a
/// script at its end: content of text/html with a status that has content, that is not a part, a
/// download or marked "no-transform". The script listens to server-sent events (HTML Standard, 9.2) of
/// "/.weir/live". If a style sheet has changed, it loads the style sheets of the page again; if another
/// file has, the page. A page that was away meanwhile, as while the server was started again, is
/// compared when it comes back.
///
/// A page with a script has no validators and no ranges, and no content coding of `inner`. In a
/// Content-Security-Policy, 'self' is added where the script needs it, or its nonce. A policy in the page
/// itself (an element meta) is left alone. The answers to all GET and HEAD say "Cache-Control: no-cache",
/// unless they say "no-store": otherwise a page would come with old parts. Answers that come through a
/// Deferred are left alone.
///
/// What a client can't fetch makes no page load: dotfiles, hidden and withheld files. Neither do
/// "node_modules" and names that end with "~". The first 50,000 names are looked at. Whether one file
/// changed is told to everyone who may ask for "/.weir/live", but not which. The server should be
/// reachable from this machine only.
class Reloader final : public http::Handler {
   public:
    struct State;
    explicit Reloader(std::unique_ptr<State> state) noexcept;
    ~Reloader() override;

    http::Reply handle(const http::Request& request) override;

    /// Around `outer`, which stands around this handler and adds fields to answers: its
    /// Content-Security-Policy lets pages run the script, too, and its Cache-Control keeps no file from
    /// being asked for. `outer` must outlive what is returned.
    std::unique_ptr<http::Handler> finish(http::Handler& outer) const;

    /// Starts the thread that watches the files, in each process that serves, before it serves: again
    /// in one that was forked. Where no thread can be started, pages are told nothing.
    void watch();
    /// Ends all event streams, in this process and in those that were forked from it: the server would
    /// wait for them to its timeout. Call it before Server::stop(). Async-signal-safe; any thread.
    void end() noexcept;

   private:
    std::unique_ptr<State> state_;
};

/// `inner` must outlive what is returned. `site` has the options of the site: what it serves is watched.
/// The site should cache nothing (CacheOptions::entries_max and watches_max of 0): the cache may hear of
/// a change later than the page. The error is one sentence.
std::expected<std::unique_ptr<Reloader>, std::string> around(http::Handler& inner,
                                                             const site::Options& site,
                                                             Options options = {});

}  // namespace weir::live
