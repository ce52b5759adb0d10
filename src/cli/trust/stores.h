#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace weir::cli {

/// A CA that programs of this machine are to trust, or no longer.
struct LocalCa {
    std::string file;  // an absolute path
    std::string pem;
    std::string id;  // the beginning of its fingerprint, by which stores tell one CA from another
};

/// A place where programs look for the CAs that they trust.
class TrustStore {
   public:
    /// A sentence without its subject: "trusts it now"; or the reason of a failure.
    using Result = std::expected<std::string, std::string>;

    virtual ~TrustStore() = default;
    /// "the system's store".
    virtual std::string name() const = 0;
    virtual Result add(const LocalCa& ca) const = 0;
    virtual Result remove(const LocalCa& ca) const = 0;
};

/// The stores of this machine and of the user whose home folder that is: the system's, and those of
/// Chromium, Chrome and Firefox (databases of NSS). `home` may be empty.
std::vector<std::unique_ptr<TrustStore>> trust_stores(const std::string& home);

}  // namespace weir::cli
