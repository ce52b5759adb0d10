#include "dav/xml/reader.h"
#include "weir/dav/dav.h"

// Replaces reader.cpp in a build without Expat.
namespace weir::dav {

std::expected<std::unique_ptr<Element>, std::string> read_xml(std::string_view, const XmlLimits&) {
    return std::unexpected{std::string{unavailable()}};
}

std::string_view unavailable() {
    return "this build has no Expat: install libexpat1-dev, and build weir again";
}

}  // namespace weir::dav
