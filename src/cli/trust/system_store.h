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
    using Command = std::vector<std::string>;  // a program and its arguments
    SystemStore(std::string folder, std::string ending, Command update, Command forget);
    std::string path_of(const LocalCa& ca) const;
    static Result run(const Command& command, std::string done);

    std::string folder_;
    std::string ending_;
    Command update_;
    Command forget_;
};

}  // namespace weir::cli
