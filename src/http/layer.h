#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/workspace.h"
#include "weir/base/now.h"
#include "weir/http/connection.h"
#include "weir/http/origin.h"

namespace weir::http {

/// What speaks inside of a layer's connections.
struct Protocols {
    /// In the order of preference, by their names in ALPN (RFC 7301): "h2", "http/1.1".
    std::vector<std::string> names;
    /// `name` is one of them; empty where the peers have not agreed on one. Any thread calls it. It
    /// throws std::bad_alloc.
    std::function<std::unique_ptr<Connection>(std::string_view name, Workspace&, Origin&, Now)>
        make;
};

/// Makes connections around those of the protocols. weir-tls has one; see server::Options::tls.
class Layer {
   public:
    virtual ~Layer() = default;
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

    /// Once, before the first connection.
    virtual void begin(Protocols protocols) = 0;
    /// Any thread. Throws std::bad_alloc.
    virtual std::unique_ptr<Connection> connect(Workspace& workspace, Origin& origin, Now now) = 0;

    // What it has read from files (certificates) can be read again. Connections keep what they began
    // with.

    /// Readable once renew() has something to do, in this process and in those that it forks.
    virtual int renewal_fd() const noexcept = 0;
    /// Has renewal_fd() become readable. Any thread; async-signal-safe.
    virtual void request_renewal() noexcept = 0;
    struct Renewal {
        enum class Result : unsigned char {
            nothing,  // to do, as yet
            done,     // connections that are made from now on use what is new
            failed,   // they use what was there before
        };
        Result result = Result::nothing;
        std::string sentence;  // what an operator should hear; empty for `nothing`
    };
    /// One thread at a time. Throws std::bad_alloc.
    virtual Renewal renew() = 0;

   protected:
    Layer() = default;
};

}  // namespace weir::http
