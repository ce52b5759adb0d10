#pragma once

#include <string>
#include <vector>

#include "cli/options/option_reader.h"

namespace weir::cli {

/// Options that redirect or rewrite requests, and add headers.
struct RuleOptions {
    std::vector<std::string> redirects;  // for rules::redirect()
    std::vector<std::string> rewrites;   // for rules::rewrite()
    std::string prefix;                  // empty: the root
    std::string maintenance;             // a file; empty: none
    std::vector<std::string> maintenance_except;
    bool security_headers = false;
    bool folder_rules = false;
};

/// Reads RuleOptions.
class RulesReader {
   public:
    /// Both arguments must outlive this object.
    RulesReader(OptionReader& reader, RuleOptions& options) : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish() const;

   private:
    OptionReader& reader_;
    RuleOptions& options_;
    const OptionReader::Added* maintenance_except_ = nullptr;
};

}  // namespace weir::cli
