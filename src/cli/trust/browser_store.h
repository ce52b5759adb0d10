#pragma once

#include <string>
#include <utility>

#include "cli/trust/stores.h"

namespace weir::cli {

/// A database of NSS, in which a browser has its CAs. certutil(1) changes it.
class BrowserStore final : public TrustStore {
   public:
    BrowserStore(std::string browser, std::string folder)
        : browser_{std::move(browser)}, folder_{std::move(folder)} {}

    std::string name() const override { return browser_ + " (" + folder_ + ")"; }
    Result add(const LocalCa& ca) const override;
    Result remove(const LocalCa& ca) const override;

   private:
    std::string browser_;
    std::string folder_;
};

}  // namespace weir::cli
