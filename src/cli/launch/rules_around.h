#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cli/readers/rule_options.h"
#include "weir/http/handler.h"

namespace weir::cli {

/// A site with the rules around it. What is not wanted adds no handler.
class RulesAround {
   public:
    /// Reads the files of users. `site` must outlive it. Or a sentence that says what is wrong, with
    /// the option in front.
    static std::expected<RulesAround, std::string> build(const RuleOptions& options,
                                                         http::Handler& site);

    http::Handler& outermost() const noexcept { return *outermost_; }
    /// The files and folders that the rules read while the server runs.
    const std::vector<std::string>& reads() const noexcept { return reads_; }

   private:
    explicit RulesAround(http::Handler& site) noexcept : outermost_{&site} {}

    /// Puts a rule around what is there.
    template <typename Rule, typename... Arguments>
    void put(Arguments&&... arguments);
    std::string add_authentication(const RuleOptions& options);
    void read_later(const std::string& file);

    std::vector<std::unique_ptr<http::Handler>> rules_;  // the innermost first
    http::Handler* outermost_;
    std::vector<std::string> reads_;
};

}  // namespace weir::cli
