#pragma once

#include <functional>
#include <string>

namespace weir::upload {

/// A file that is about to get its name.
struct Naming {
    std::string path;  // relative to the root
    int file = -1;     // the new file, open for writing; -1 while nothing of it is there yet
    bool replaces = false;
};

/// A further look at a file, by code that knows more of its folder: a lock, for example. Called on a
/// helper thread before the content is asked for, and again before the file gets its name, while no
/// other file can get one. Throws web::Refusal.
using FurtherLook = std::function<void(const Naming&)>;

}  // namespace weir::upload
