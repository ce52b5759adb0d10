#include "weir/http/connection.h"

#include "base/troubles.h"
#include "http/answer/dropped.h"

namespace weir::http {

void Connection::run_out(Now now) noexcept {
    troubles().note(Trouble::memory);
    do_run_out(now);
}

/// The connection did not take over the reply, so its source, sink or continuation gets the last
/// call here.
void Connection::lose(Reply&& reply) noexcept { drop(std::move(reply), Outcome::out_of_memory); }

}  // namespace weir::http
