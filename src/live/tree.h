#pragma once

#include <functional>
#include <memory>
#include <string>

#include "live/version.h"
#include "site/root/root_directory.h"

namespace weir::live {

/// Reads which files are below a root, and their states: of those that a client may fetch. `enter` gets
/// the path of each folder before the folder is read. Null for a root that leads to none.
Version read_tree(const std::shared_ptr<const site::RootDirectory>& root, bool dotfiles,
                  const std::function<void(const std::string& folder)>& enter);

}  // namespace weir::live
