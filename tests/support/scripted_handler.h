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

/// One path for each thing that a handler may do. A request with `note=X` in its query has what
/// becomes of it written into the journal: "X handled", "X arrives" and "X cut" (its content),
/// "X streamed: <outcome>", "X: <outcome>".
///
///     /hello           "hello\n"
///     /text?is=T       "T"
///     /status?code=N   that status, without content
///     /big?bytes=N     the pattern: borrowed; `&own` owned; `&file` from a file
///     /file?bytes=N    so much of `file`, from its start; `&from=M` from there
///     /stream?bytes=N  the pattern from a source of unknown size; `&sized` of known size;
///                      `&pause=K` not ready before each Kth piece, until another thread wakes it
///     /gated           "first\n", then not ready until the gate is open, then "second\n"
///     /parts           text, the file, and text again, from one source
///     /broken          "first\n", then not ready until the gate is open, then the source fails
///     /echo            what was sent
///     /sink            takes the content as a stream; answers its size, or says where it is no
///     pattern;
///                      `&pause` pauses after each piece, `&fail` fails at the first
///     /later?is=T      "later T" from another thread once the gate is open; `&open` at once
///     /dropped         promises an answer and forgets it
///     /held            "held\n", whose handler waits on its thread until the gate is open
///     /never           promises an answer and keeps the promise to itself
///     /refuse          403 at once, whatever content follows
///
/// What a call throws for lack of descriptors becomes a 500, as it does in a real server.
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
    http::Reply answer_later(const http::Request& request);
    http::Reply take_content(const http::Request& request);

    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Totals>, std::less<>> totals_;  // by `note`; guarded
    std::vector<http::Deferred> unanswered_;                              // guarded
    Background background_;  // last: its tasks use the rest
};

}  // namespace weir::tests
