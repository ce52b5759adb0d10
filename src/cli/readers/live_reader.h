#pragma once

#include <cstddef>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Whether pages are loaded again when files have changed.
struct LiveOptions {
    bool reload = false;
    std::size_t pages_max = 256;  // that are told of changes at a time, in each process
};

/// Reads these options.
class LiveReader {
   public:
    /// Both must outlive it.
    LiveReader(OptionReader& reader, LiveOptions& options) : reader_{reader}, options_{options} {}

    /// In the group that has begun.
    void add();
    /// Checks that they fit the others. Throws WrongUse.
    void finish(const LaunchOptions& launch, const ProxyOptions& proxies);

   private:
    void check_reach(const LaunchOptions& launch, const ProxyOptions& proxies) const;

    OptionReader& reader_;
    LiveOptions& options_;
    const OptionReader::Added* reload_ = nullptr;
};

}  // namespace weir::cli
