#include "weir/http/connection.h"

#include "base/troubles.h"
#include "http/answer/dropped.h"

namespace weir::http {

void Connection::run_out(Now now) noexcept {
    troubles().note(Trouble::memory);
    do_run_out(now);
}

/// What the connection did not take over has nobody else to tell it.
void Connection::lose(Reply&& reply) noexcept { drop(std::move(reply), Outcome::out_of_memory); }

}  // namespace weir::http
