#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/acme_reader.h"
#include "cli/options/launch_options.h"
#include "cli/options/log_reader.h"
#include "cli/options/option_reader.h"
#include "cli/options/tls_reader.h"

namespace weir::cli {

/// Reads the options of a server. They are the same for every command that runs one.
class LaunchReader {
   public:
    /// Both arguments must outlive this object.
    LaunchReader(OptionReader& reader, LaunchOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish();

   private:
    void add_server_options();
    void add_privileges();
    void add_operation();
    void add_limits();
    void take_passed_sockets();
    void listen_for_domains();
    void check_admin() const;
    void check_engine() const;

    OptionReader& reader_;
    LaunchOptions& options_;
    TlsReader tls_{reader_, options_};
    AcmeReader acme_{reader_, options_};
    LogReader log_{reader_, options_};
    std::vector<std::string> addresses_;  // replace the default
    std::uint32_t head_bytes_max_ = 0;
    const OptionReader::Added* port_ = nullptr;
    // Options that only some engines support:
    const OptionReader::Added* workers_ = nullptr;
    const OptionReader::Added* pin_ = nullptr;
    const OptionReader::Added* queue_ = nullptr;
    const OptionReader::Added* queue_delay_ = nullptr;
    const OptionReader::Added* busy_poll_ = nullptr;
};

}  // namespace weir::cli
