#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cli/launch/compress_setup.h"
#include "cli/launch/rules_around.h"
#include "cli/options/serve_options.h"
#include "rules/hosts.h"
#include "weir/http/handler.h"
#include "weir/site/site.h"

namespace weir::cli {

/// The site of `weir serve`, or its several sites, and what chooses among them by the name of the
/// host.
class ServedSites {
   public:
    /// The sites start no thread before resume_watching(). The error is one sentence. `options`
    /// gets what depends on other options: whether folders are listed, and each site's share of the
    /// cache.
    static std::expected<ServedSites, std::string> open(ServeOptions& options);

    http::Handler& handler() noexcept;
    /// The folders that are served, and what the rules around them read.
    std::vector<std::string> reads() const;
    /// The absolute path of the folder, or the names of the sites.
    std::string in_words() const;
    /// True if "/" gets a 404: the root is a folder without an index file, and it is not listed. Of
    /// several sites, nothing is said.
    bool lacks_index() const;

    void resume_watching();
    bool watching() const;

   private:
    struct Served {
        std::unique_ptr<site::Site> site;
        std::unique_ptr<http::Handler> archives;    // around it; null: none
        std::unique_ptr<http::Handler> compressor;  // around these; null: none
        RulesAround rules;                          // around all
        site::Options options;
    };

    ServedSites() = default;
    std::expected<void, std::string> add(OneSiteOptions& options);
    std::expected<void, std::string> add_several(ServeOptions& options);
    void choose_among(const std::vector<NamedSite>& sites);

    std::vector<Served> sites_;
    std::vector<std::string> names_;
    std::unique_ptr<rules::Hosts> hosts_;
    std::unique_ptr<http::Handler>
        outermost_;  // what finds out for whom a proxy asks; null: nothing
};

/// Decides whether folders are listed, and opens one site.
std::expected<std::unique_ptr<site::Site>, std::string> open_site(OneSiteOptions& options);
/// Puts the rules around it. It must outlive them.
std::expected<RulesAround, std::string> surround(const OneSiteOptions& options,
                                                 http::Handler& site);

}  // namespace weir::cli
