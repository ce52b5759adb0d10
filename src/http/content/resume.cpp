#include "http/content/resume.h"

#include <new>

#include "base/troubles.h"

namespace weir::http {

Reply resume(Continuation& continuation) noexcept try {
    return continuation.resume();
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
    return Response{Status::service_unavailable};
} catch (...) {
    return Response{Status::internal_server_error};
}

}  // namespace weir::http
