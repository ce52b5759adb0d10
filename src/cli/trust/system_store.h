#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/trust/stores.h"

namespace weir::cli {

/// The store of the system, which curl, wget and most programs read: a folder, and a program that
/// takes its files over.
class SystemStore final : public TrustStore {
   public:
    /// The one that this distribution has; null if it has none that weir knows.
    static std::unique_ptr<SystemStore> find();

    std::string name() const override { return "the system's store"; }
    Result add(const LocalCa& ca) const override;
    Result remove(const LocalCa& ca) const override;

   private:
    SystemStore(std::string folder, std::string ending, std::vector<std::string> update);
    std::string path_of(const LocalCa& ca) const;
    Result update(std::string done) const;

    std::string folder_;
    std::string ending_;
    std::vector<std::string> update_;  // the program and its arguments
};

}  // namespace weir::cli
