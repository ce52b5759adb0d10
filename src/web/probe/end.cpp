#include "web/probe/end.h"

#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace weir::web {
namespace {

using http::Step;

std::string read_range(const http::FileRange& file) {
    std::string bytes(file.size, '\0');
    const ssize_t got =
        ::pread(file.fd, bytes.data(), bytes.size(), static_cast<off_t>(file.offset));
    if (got != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error{"the file of an answer is shorter than the answer says"};
    return bytes;
}

}  // namespace

void ProbeEnd::drive() {
    for (;;) {
        const Step step = connection->step();
        if (step == Step::handle) {
            const http::Request& request = connection->take_request();
            const http::RequestId id = request.id();
            connection->respond(id, handle(request), clock_);
        } else if (http::sends(step) && can_send()) {
            transmit();
        } else if (http::reads(step) && !input.empty()) {
            const std::string bytes = std::exchange(input, {});
            connection->receive(bytes, clock_);
            connection->take_ownership(clock_);
        } else {
            connection->take_ownership(clock_);
            return;
        }
    }
}

void ProbeEnd::transmit() {
    const http::Transmission what = connection->transmit();
    for (const std::string_view part : what.parts) sent(part);
    if (what.file.size != 0) sent(read_range(what.file));
    connection->transmitted(what.part_bytes() + what.file.size, clock_);
}

}  // namespace weir::web
