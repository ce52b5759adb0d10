#pragma once

#include "cli/access/access_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options of a server behind proxies.
class ProxiesReader {
   public:
    /// Both arguments must outlive this object.
    ProxiesReader(OptionReader& reader, ProxyOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish() const;

   private:
    OptionReader& reader_;
    ProxyOptions& options_;
    const OptionReader::Added* field_ = nullptr;
};

}  // namespace weir::cli
