#pragma once

#include <cstddef>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// The options for pages that browsers load again when files have changed.
struct LiveOptions {
    bool reload = false;
    std::size_t pages_max = 256;  // the most pages that hear of changes at a time, in each process
};

/// Reads LiveOptions.
class LiveReader {
   public:
    /// Both arguments must outlive this object.
    LiveReader(OptionReader& reader, LiveOptions& options) : reader_{reader}, options_{options} {}

    /// Adds the options to the present group.
    void add();
    /// Checks that the options fit the others.
    void finish(const LaunchOptions& launch, const ProxyOptions& proxies);

   private:
    void check_reach(const LaunchOptions& launch, const ProxyOptions& proxies) const;

    OptionReader& reader_;
    LiveOptions& options_;
    const OptionReader::Added* reload_ = nullptr;
};

}  // namespace weir::cli
