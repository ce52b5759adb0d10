#pragma once

#include <string>
#include <vector>

#include "cli/access/access_options.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"
#include "weir/upload/upload.h"

namespace weir::cli {

/// Options for files that clients may put into a site.
struct UploadOptions {
    std::vector<std::string> folders;  // as in upload::Options; empty: no uploads
    upload::Options settings;
    std::string users;  // a file of passwords; empty: no password is needed
    bool anyone = false;
    std::vector<std::string> webdav;  // as in dav::Options; empty: no WebDAV
};

/// Reads UploadOptions.
class UploadReader {
   public:
    /// Both arguments must outlive this object.
    UploadReader(OptionReader& reader, UploadOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. To call when the others are complete. Throws WrongUse.
    void finish(const LaunchOptions& launch, const AccessOptions& access) const;

   private:
    void refuse_unused() const;
    void find_webdav() const;

    OptionReader& reader_;
    UploadOptions& options_;
    std::vector<const OptionReader::Added*> needing_;  // options that have no meaning without
                                                       // --upload
    const OptionReader::Added* anyone_ = nullptr;
    const OptionReader::Added* overwrite_ = nullptr;
    const OptionReader::Added* webdav_ = nullptr;
};

}  // namespace weir::cli
