#pragma once

#include <string>
#include <vector>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options that say who may see what is served.
class AccessReader {
   public:
    /// Both must outlive it.
    AccessReader(OptionReader& reader, AccessOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together, once those of `launch` are complete. Throws WrongUse.
    /// `asks_for_others`: passwords of another option are asked for.
    void finish(const LaunchOptions& launch, bool asks_for_others);

   private:
    void add_passwords();
    void add_signed_links();
    void add_networks();
    void refuse_unused() const;

    OptionReader& reader_;
    AccessOptions& options_;
    std::vector<std::string> users_;
    const OptionReader::Added* tries_ = nullptr;
    const OptionReader::Added* over_plain_ = nullptr;
};

/// Throws WrongUse where passwords would be read by anyone on the way.
void refuse_plain_passwords(const LaunchOptions& launch, const AccessOptions& options);

}  // namespace weir::cli
