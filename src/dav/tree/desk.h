#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dav/locks/lock_table.h"
#include "site/root/withheld.h"
#include "site/types/media_types.h"
#include "upload/store.h"
#include "weir/dav/dav.h"
#include "weir/site/site.h"

namespace weir::dav {

/// The things that all requests share.
struct Desk {
    const site::Options site;
    const Options options;
    const std::shared_ptr<upload::Store> store;
    const site::MediaTypes types;
    const std::shared_ptr<const site::Withheld> withheld;  // without hidden names
    LockTable locks;                                       // Store::mutex() protects it

    /// True for the folders with WebDAV and for all below.
    bool takes(std::string_view path) const noexcept;
    /// True for one of these folders, which a client can neither remove nor replace, and for those
    /// above.
    bool stays(std::string_view path) const noexcept;
};

using upload::target_of;

}  // namespace weir::dav
