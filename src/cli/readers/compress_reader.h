#pragma once

#include <string>
#include <vector>

#include "cli/options/option_reader.h"
#include "weir/compress/compress.h"

namespace weir::cli {

struct CompressOptions {
    bool on = false;
    compress::Options settings{};
};

/// Reads the options of compression.
class CompressReader {
   public:
    /// Both arguments must outlive this object.
    CompressReader(OptionReader& reader, CompressOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish();

   private:
    OptionReader& reader_;
    CompressOptions& options_;
    std::vector<std::string> codings_;  // of each --compress: "gzip,br", or empty
    std::vector<std::string> types_;    // these types replace the default
    std::vector<const OptionReader::Added*> needing_compress_;
    const OptionReader::Added* cookies_ = nullptr;
};

}  // namespace weir::cli
