#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "dav/xml/element.h"

namespace weir::dav {

struct XmlLimits {
    std::size_t bytes_max = 64 * 1024;
    std::size_t depth_max = 32;
    std::size_t elements_max = 2000;
    std::size_t attributes_max = 2000;
    /// Of a name with its namespace, which each element has again.
    std::size_t name_bytes_max = 1000;
};

/// Reads a document. It may have no DOCTYPE, so there are no entities but the five of XML itself,
/// and nothing outside of the document is read. The error is a sentence without its full stop.
std::expected<std::unique_ptr<Element>, std::string> read_xml(std::string_view document,
                                                              const XmlLimits& limits = {});

}  // namespace weir::dav
