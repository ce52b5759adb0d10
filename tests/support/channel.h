#pragma once

#include <string_view>

#include "support/incoming.h"

namespace weir::tests {

class Client;

/// A client's end of a connection, whose bytes go as they are, or through TLS.
class Channel : public Incoming {
   public:
    /// Sends all bytes, however long the server takes.
    void send(std::string_view bytes) {
        if (!offer(bytes)) throw Unexpected{"the server closed while a request was being sent"};
    }
    /// Sends all bytes if the server still reads; returns false if it has closed the connection.
    virtual bool offer(std::string_view bytes) = 0;
    /// The socket that carries the bytes.
    virtual Client& socket() = 0;
};

}  // namespace weir::tests
