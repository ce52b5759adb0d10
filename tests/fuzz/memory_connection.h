#pragma once

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "fuzz/fuzz_input.h"
#include "http/http1/http1_connection.h"

namespace weir::tests {

/// The engine of one connection, without a socket.
class MemoryConnection final : public http::Origin {
   public:
    /// The socket takes `room` bytes at a time.
    MemoryConnection(http::Handler& handler, Now now, std::size_t room)
        : handler_{handler}, now_{now}, room_{room} {}

    /// Returns what is sent in return.
    std::string receive(std::string_view bytes) {
        const ExactCopy copy{bytes};
        if (bytes.empty() || !http::reads(connection_.step())) return {};
        connection_.receive(copy.view(), now_);
        std::string sent;
        for (;;) {
            if (connection_.step() == http::Step::handle) {
                const http::Request& request = connection_.take_request();
                connection_.respond(request.id(), handler_.handle(request), now_);
            } else if (connection_.step() == http::Step::transmit) {
                transmit(sent);
            } else if (!connection_.take_ownership(now_)) {
                return sent;
            }
        }
    }

    void append_address(std::string& out) const override { out += "192.0.2.7"; }
    std::shared_ptr<http::Postbox> postbox() override { return nullptr; }
    std::uint64_t number() const noexcept override { return 0; }

   private:
    void transmit(std::string& sent) {
        const http::Transmission transmission = connection_.transmit();
        std::string bytes;
        for (const std::string_view part : transmission.parts) bytes += part;
        std::string file(transmission.file.size, '\0');
        if (!file.empty()) {
            const auto size = ::pread(transmission.file.fd, file.data(), file.size(),
                                      static_cast<off_t>(transmission.file.offset));
            require(size == static_cast<ssize_t>(file.size()));
        }
        bytes += file;
        bytes.resize(std::min(bytes.size(), room_));
        require(!bytes.empty());
        sent += bytes;
        connection_.transmitted(bytes.size(), now_);
    }

    http::Handler& handler_;
    const Now now_;
    const std::size_t room_;
    const http::Limits limits_;
    const http::Timeouts timeouts_;
    http::Workspace workspace_{limits_, timeouts_};
    http::Http1Connection connection_{workspace_, *this, now_};
};

}  // namespace weir::tests
