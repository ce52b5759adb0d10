#pragma once

#include <vector>

#include "cli/options/option_reader.h"
#include "rules/access/network.h"
#include "rules/trust/hops.h"

namespace weir::cli {

/// Which proxies are believed what they say of their clients.
struct ProxyOptions {
    std::vector<rules::Network> trust;  // in a field of the request
    rules::ForwardedField field = rules::ForwardedField::x_forwarded_for;
    std::vector<rules::Network> proxy_protocol;  // in a header before the first request
};

/// Reads the options of a server behind proxies.
class ProxiesReader {
   public:
    /// Both must outlive it.
    ProxiesReader(OptionReader& reader, ProxyOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish() const;

   private:
    OptionReader& reader_;
    ProxyOptions& options_;
    const OptionReader::Added* field_ = nullptr;
};

}  // namespace weir::cli
