#pragma once

#include <string>
#include <vector>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"
#include "weir/upload/upload.h"

namespace weir::cli {

/// Which files clients may put into a site.
struct UploadOptions {
    std::vector<std::string> folders;  // as those of upload::Options; none: nothing is taken
    upload::Options settings;
    std::string users;  // a file of passwords; empty: nobody is asked
    bool anyone = false;
};

/// Reads the options on files that clients may put into a site.
class UploadReader {
   public:
    /// Both must outlive it.
    UploadReader(OptionReader& reader, UploadOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together, once the others are complete. Throws WrongUse.
    void finish(const LaunchOptions& launch, const AccessOptions& access) const;

   private:
    void refuse_unused() const;

    OptionReader& reader_;
    UploadOptions& options_;
    std::vector<const OptionReader::Added*> needing_;  // that say nothing without --upload
    const OptionReader::Added* anyone_ = nullptr;
    const OptionReader::Added* overwrite_ = nullptr;
};

}  // namespace weir::cli
