#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "http/observer.h"
#include "support/background.h"
#include "support/gate.h"
#include "support/journal.h"
#include "support/temporary_file.h"
#include "weir/http/handler.h"

namespace weir::tests {

/// The arguments of this process: a file that must be read, for sendfile(2) fails with EINVAL.
inline constexpr const char* unsendable_file = "/proc/self/cmdline";

/// One path for each thing that a handler can do. If the query of a request has `note=X`, the
/// journal gets lines about it: "X handled", "X arrives" and "X cut" (for its content), "X responded"
/// (by another thread), "X streamed: <outcome>", "X: <outcome>".
///
///     /hello           "hello\n"
///     /text?is=T       "T"
///     /status?code=N   that status, without content
///     /big?bytes=N     the pattern, borrowed; `&own`: owned; `&file`: from a file
///     /file?bytes=N    the first N bytes of `file`; `&from=M`: N bytes from offset M
///     /unsendable?bytes=N  N bytes of `unsendable_file`; `&from=M`: from offset M
///     /stream?bytes=N  the pattern from a source of unknown size; `&sized`: of known size;
///                      `&pause=K`: not ready before each Kth piece, until another thread wakes it
///     /gated           "first\n", then not ready until the gate is open, then "second\n"; `&live`:
///                      ends if the peer leaves
///     /awaited         "awaited\n" from a continuation once the gate is open; ends if the peer leaves.
///                      The journal gets "X cut" then
///     /parts           text, the file, and text again, from one source
///     /broken          "first\n", then not ready until the gate is open, then the source fails
///     /echo            the content of the request
///     /sink            reads the content as a stream; answers its size, or where it differs from
///                      the pattern; `&pause`: pauses after each piece; `&fail`: fails at the first
///     /later?is=T      "later T" from another thread once the gate is open; `&open`: at once;
///                      `&source`: the pattern from a source
///     /dropped         returns Later and destroys its Deferred
///     /held            "held\n"; the handler blocks its thread until the gate is open
///     /slow?ms=N       "slow\n"; as /held, but for N milliseconds at most
///     /never           returns Later and keeps its Deferred without answering
///     /busy            goes on for ever: each step of its continuation asks for the next. The journal
///                      gets "X ended"
///     /refuse          403 at once, whatever content follows
///
/// If a call throws because no descriptor is left, the peer gets a 500, as with a real server.
class ScriptedHandler final : public http::Handler, public http::Observer {
   public:
    http::Reply handle(const http::Request& request) override;
    void answered(const http::Answered& answered) noexcept override;

    Journal journal;
    Gate gate;
    TemporaryFile file;

   private:
    struct Totals;
    class PatternSink;

    http::Reply answer(const http::Request& request);
    http::Response later_response(const http::Request& request);
    http::Reply answer_later(const http::Request& request);
    http::Reply take_content(const http::Request& request);

    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Totals>, std::less<>> totals_;  // by `note`; guarded by
                                                                          // the mutex
    std::vector<http::Deferred> unanswered_;                              // guarded by the mutex
    Background background_;  // last, because its tasks use the members above
};

}  // namespace weir::tests
