#pragma once

#include <vector>

#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options of certificates that a CA gives by itself.
class AcmeReader {
   public:
    /// Both arguments must outlive this object.
    AcmeReader(OptionReader& reader, LaunchOptions& options) : reader_{reader}, options_{options} {}

    void add();
    /// Adds the certificates to those of TLS. To call before TlsReader::finish(). Throws WrongUse.
    void finish();

   private:
    OptionReader& reader_;
    LaunchOptions& options_;
    std::vector<const OptionReader::Added*> needing_domain_;
};

}  // namespace weir::cli
