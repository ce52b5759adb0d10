#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/launch/access_around.h"
#include "cli/launch/fields_around.h"
#include "cli/serve/serve_options.h"
#include "cli/sites/uploads_around.h"
#include "weir/http/handler.h"
#include "weir/live/live.h"
#include "weir/proxy/proxy.h"
#include "weir/site/site.h"

namespace weir::cli {

/// The site of `weir serve`, with all handlers that its options put around it.
class ServedSite {
   public:
    /// Opens the site, without a thread before resume_watching(). The error is one sentence.
    static std::expected<std::unique_ptr<ServedSite>, std::string> open(SiteOptions options);
    /// Sends the challenges of a CA (challenges_around.h). The error is one sentence.
    std::expected<void, std::string> answer_challenges();

    http::Handler& handler() const noexcept { return *outermost_; }
    bool asks_for_users() const noexcept {
        return around_->asks_for_users() || uploads_.passwords != nullptr;
    }
    /// The user that sent the request; empty if no password was asked for.
    std::string user_of(const http::Request& request) const;

    /// The absolute path, for the banner. Links in it are not resolved, because they may lead
    /// elsewhere later.
    std::string path() const;
    /// True if "/" gets a 404: the root is a folder without an index file, and it is not listed.
    bool lacks_index() const;

    /// The files and folders that the site reads: see Launch.
    std::vector<std::string> reads() const;
    std::vector<std::string> follows() const;
    std::vector<std::string> looks_into() const { return folders_read(options_); }
    std::vector<std::string> writes() const { return folders_written(options_); }
    std::vector<std::string> changes() const { return folders_changed(options_); }

    /// The TCP ports of other servers, and whether one has a unix socket.
    std::vector<std::uint16_t> ports() const {
        return forward_ ? forward_->ports() : std::vector<std::uint16_t>{};
    }
    /// The names of other servers.
    std::vector<std::string> names() const {
        return forward_ ? forward_->names() : std::vector<std::string>{};
    }
    bool has_unix_sockets() const { return forward_ && forward_->has_unix_sockets(); }

    void resume_watching() const;
    /// Ends streams that would last as long as the server. Async-signal-safe.
    void end_streams() const noexcept {
        if (live_) live_->end();
    }
    bool watching() const { return live_ || site_->watching(); }

   private:
    explicit ServedSite(SiteOptions options);
    std::expected<void, std::string> build();

    SiteOptions options_;
    FieldsAround fields_of_contents_;  // from uploads_ to live_
    FieldsAround fields_of_others_;    // of forward_
    std::unique_ptr<site::Site> site_;
    UploadsAround uploads_;                         // around site_
    std::unique_ptr<http::Handler> archives_;       // around these; null: none
    std::unique_ptr<http::Handler> pages_;          // shows Markdown, around these; null: none
    std::unique_ptr<live::Reloader> live_;          // around these; null: none
    std::unique_ptr<http::Handler> compressor_;     // around these; null: none
    std::unique_ptr<proxy::ProxyHandler> forward_;  // around these; null: no other server
    std::optional<AccessAround> around_;            // around these
    std::unique_ptr<http::Handler> finished_;       // around these; null: without live_
    std::unique_ptr<http::Handler> challenges_;     // around these; null: none
    http::Handler* outermost_ = nullptr;
};

}  // namespace weir::cli
