#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/serve/serve_options.h"
#include "cli/sites/served_site.h"
#include "rules/hosts.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// The site of `weir serve`, or its several sites, and the handler that chooses among them by the
/// host.
class ServedSites {
   public:
    /// Opens the sites, without threads before resume_watching(). The error is one sentence.
    static std::expected<ServedSites, std::string> open(const ServeOptions& options);

    http::Handler& handler() const noexcept { return *outermost_; }
    /// Returns a function that names the user of a request; null if no site asks for users. The
    /// function borrows from this object.
    std::function<std::string(const http::Request&)> user() const;

    /// The absolute path of the site, or the hosts of several.
    std::string in_words() const;
    /// See ServedSite. False for several sites.
    bool lacks_index() const { return sites_.size() == 1 && sites_.front()->lacks_index(); }

    /// See Launch.
    std::vector<std::string> reads() const { return of_all(&ServedSite::reads); }
    std::vector<std::string> follows() const { return of_all(&ServedSite::follows); }
    std::vector<std::string> looks_into() const { return of_all(&ServedSite::looks_into); }
    std::vector<std::string> writes() const { return of_all(&ServedSite::writes); }
    std::vector<std::string> changes() const { return of_all(&ServedSite::changes); }
    std::vector<std::string> names() const { return of_all(&ServedSite::names); }
    std::vector<std::uint16_t> ports() const;
    bool has_unix_sockets() const;

    void resume_watching() const;
    /// See ServedSite.
    void end_streams() const noexcept {
        for (const auto& site : sites_) site->end_streams();
    }
    bool watching() const;

   private:
    explicit ServedSites(bool answers_challenges) : answers_challenges_{answers_challenges} {}
    std::expected<void, std::string> add(const SiteOptions& options);
    std::expected<void, std::string> add_several(const std::vector<NamedSite>& sites);
    const ServedSite* site_of(const http::Request& request) const noexcept;
    std::expected<void, std::string> trust(const ProxyOptions& proxies);
    std::vector<std::string> of_all(std::vector<std::string> (ServedSite::*list)() const) const;

    bool answers_challenges_;  // of a CA, in plain HTTP
    std::vector<std::unique_ptr<ServedSite>> sites_;
    std::vector<std::string> hosts_;                 // for the banner; empty: one site for all
    std::unique_ptr<rules::ByHost> by_host_;         // null: one site for all
    std::unique_ptr<http::Handler> behind_proxies_;  // around these; null: no proxy is trusted
    http::Handler* outermost_ = nullptr;
};

}  // namespace weir::cli
