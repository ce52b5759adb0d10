#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "http/workspace.h"
#include "web/probe/end.h"

namespace weir::web {

/// A connection to another server, which a handler plays: both of its ends, and the bytes between
/// them.
class OtherServer {
   public:
    /// Adds both ends to `ends`, as long as they live.
    OtherServer(http::Outbound& outbound, http::Handler& handler, const std::shared_ptr<Mail>& mail,
                const Now& clock, std::vector<ProbeEnd*>& ends);
    ~OtherServer();
    OtherServer(const OtherServer&) = delete;
    OtherServer& operator=(const OtherServer&) = delete;

    /// Moves bytes until both ends wait.
    void run();
    bool is_closed() const noexcept;

   private:
    class End;

    bool pass_end(End& from, End& to);

    const Now& clock_;
    std::vector<ProbeEnd*>& ends_;
    std::unique_ptr<End> near_;  // the client's
    std::unique_ptr<End> far_;   // the server's
    bool is_running_ = false;
};

}  // namespace weir::web
