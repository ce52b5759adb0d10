#pragma once

#include <string>
#include <vector>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options that limit access to a site.
class AccessReader {
   public:
    /// Both arguments must outlive this object.
    AccessReader(OptionReader& reader, AccessOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. To call when those of `launch` are complete.
    /// `asks_for_others`: another option asks for passwords. Throws WrongUse.
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

/// Throws WrongUse if passwords would pass a network without encryption.
void refuse_plain_passwords(const LaunchOptions& launch, const AccessOptions& options);

}  // namespace weir::cli
