#pragma once

#include <expected>
#include <memory>
#include <string>

#include "upload/store.h"
#include "weir/upload/upload.h"

namespace weir::upload {

/// As around(), with a store that further handlers share.
std::expected<std::unique_ptr<http::Handler>, std::string> around_with(std::shared_ptr<Store> store,
                                                                       http::Handler& inner,
                                                                       const site::Options& site,
                                                                       const Options& options);

}  // namespace weir::upload
