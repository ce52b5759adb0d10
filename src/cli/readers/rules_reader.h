#pragma once

#include <vector>

#include "cli/options/option_reader.h"
#include "cli/readers/rule_options.h"

namespace weir::cli {

/// Reads the options of the rules around a site.
class RulesReader {
   public:
    /// Both must outlive it.
    RulesReader(OptionReader& reader, RuleOptions& options) : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish() const;

   private:
    void add_access();
    void add_moves();

    OptionReader& reader_;
    RuleOptions& options_;
    const OptionReader::Added* maintenance_allow_ = nullptr;
    std::vector<const OptionReader::Added*> needing_auth_;
};

}  // namespace weir::cli
