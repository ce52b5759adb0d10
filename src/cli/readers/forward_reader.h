#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/option_reader.h"
#include "weir/proxy/proxy.h"
#include "weir/tls/tls.h"

namespace weir::cli {

/// Options for requests that other servers answer.
struct ForwardOptions {
    std::vector<std::string> routes;  // for proxy::parse_route()
    bool sets_host = false;           // Host is that of the server's URL
    std::chrono::milliseconds timeout{60'000};
    std::size_t connections_max = 0;      // of a thread to one server; 0: no limit
    std::uint64_t content_bytes_max = 0;  // of a request; 0: no limit
    std::uint32_t head_bytes_max = 0;     // of a response; set by the command
    proxy::LookUp look_up{};              // set by the command
    tls::CertificateFiles certificate{};  // for servers that ask for one
};

/// Reads ForwardOptions.
class ForwardReader {
   public:
    /// Both arguments must outlive this object.
    ForwardReader(OptionReader& reader, ForwardOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish() const;

   private:
    OptionReader& reader_;
    ForwardOptions& options_;
    const OptionReader::Added* host_ = nullptr;
    const OptionReader::Added* timeout_ = nullptr;
    const OptionReader::Added* connections_ = nullptr;
    const OptionReader::Added* content_max_ = nullptr;
    const OptionReader::Added* certificate_ = nullptr;
    const OptionReader::Added* key_ = nullptr;
};

}  // namespace weir::cli
