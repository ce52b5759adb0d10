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

/// The protocols inside of a layer's connections.
struct Protocols {
    /// Names of ALPN (RFC 7301), the preferred one first: "h2", "http/1.1".
    std::vector<std::string> names;
    /// `name` is one of `names`, or empty if the two sides have not agreed on one. Any thread may
    /// call. Throws std::bad_alloc.
    std::function<std::unique_ptr<Connection>(std::string_view name, Workspace&, Origin&, Now)>
        make;
};

/// Makes connections around those of the protocols. weir-tls has a layer; see server::Options::tls.
class Layer {
   public:
    virtual ~Layer() = default;
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

    /// Called once, before the first connection.
    virtual void begin(Protocols protocols) = 0;
    /// Any thread may call. Throws std::bad_alloc.
    virtual std::unique_ptr<Connection> connect(Workspace& workspace, Origin& origin, Now now) = 0;

    // A layer can read its files (certificates) again. A connection keeps the data that it began
    // with.

    /// This descriptor is readable once renew() has something to do, in this process and in the
    /// processes that it forks.
    virtual int renewal_fd() const noexcept = 0;
    /// Makes renewal_fd() readable. Any thread may call; async-signal-safe.
    virtual void request_renewal() noexcept = 0;
    struct Renewal {
        enum class Result : unsigned char {
            nothing,  // nothing to do yet
            done,     // later connections use the new data
            failed,   // later connections still use the old data
        };
        Result result = Result::nothing;
        std::string sentence;  // for the operator; empty for `nothing`
    };
    /// Reads the files again, if that is due. One thread at a time. Throws std::bad_alloc.
    virtual Renewal renew() = 0;

   protected:
    Layer() = default;
};

}  // namespace weir::http
