#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/web/probe.h"

namespace weir::web {

/// The client's half of one exchange, from bytes to bytes.
class ProbeClient {
   public:
    virtual ~ProbeClient() = default;
    /// The bytes of a request. Content may follow by send().
    virtual std::string ask(std::string_view method, std::string_view target,
                            const Probe::Fields& fields,
                            std::optional<std::string_view> content) = 0;
    /// The bytes of more content.
    virtual std::string send(std::string_view content) = 0;
    /// The bytes that end the request; nothing if the end of the connection does.
    virtual std::optional<std::string> end() = 0;
    /// Takes bytes of the server. Returns the bytes that they call for.
    virtual std::string take(std::string_view bytes) = 0;
    /// The response so far. `ended`: the connection has closed.
    virtual Probe::Answer answer(bool ended) const = 0;
    /// True if no more of the response comes, though it is not complete.
    virtual bool is_reset() const noexcept { return false; }
};

std::unique_ptr<ProbeClient> http1_client();
std::unique_ptr<ProbeClient> http2_client(bool is_encrypted);

}  // namespace weir::web
