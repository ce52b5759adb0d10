#include "archive/writer.h"
#include "weir/archive/archive.h"

// Replaces writer.cpp in a build without libarchive.
namespace weir::archive {

std::unique_ptr<Writer> make_writer(Format) { return nullptr; }

std::string_view unavailable() {
    return "this build has no libarchive: install libarchive-dev, and build weir again";
}

}  // namespace weir::archive
