#pragma once

#include <functional>
#include <memory>
#include <string>

#include "live/version.h"
#include "site/root/root_directory.h"

namespace weir::live {

/// Reads the names and states of the files below a root that a client may fetch. Calls `enter` with
/// the path of each folder before it reads the folder. `root` is null if the path leads to no
/// directory.
Version read_tree(const std::shared_ptr<const site::RootDirectory>& root, bool dotfiles,
                  const std::function<void(const std::string& folder)>& enter);

}  // namespace weir::live
