#include "dav/properties/kept.h"

#include <sys/xattr.h>

#include <cerrno>
#include <new>
#include <string>

#include "upload/faults.h"

namespace weir::dav {
namespace {

constexpr const char* attribute = "user.weir.properties";

}  // namespace

DeadProperties read_properties(int fd) {
    std::string bytes(DeadProperties::bytes_max, '\0');
    const auto size = ::fgetxattr(fd, attribute, bytes.data(), bytes.size());
    // An attribute that is too long is none of weir's.
    if (size < 0 && errno != ENODATA && errno != ENOTSUP && errno != ERANGE)
        throw upload::refusal_of(errno);
    if (size <= 0) return {};
    bytes.resize(static_cast<std::size_t>(size));
    return DeadProperties::from(bytes);
}

int write_properties(int fd, const DeadProperties& properties) noexcept try {
    if (properties.all().empty()) {
        const bool is_gone = ::fremovexattr(fd, attribute) == 0 || errno == ENODATA;
        return is_gone ? 0 : errno;
    }
    const std::string bytes = properties.serialized();
    return ::fsetxattr(fd, attribute, bytes.data(), bytes.size(), 0) == 0 ? 0 : errno;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

void copy_properties(int from, int to) {
    const DeadProperties properties = read_properties(from);
    if (properties.all().empty()) return;
    const int error = write_properties(to, properties);
    if (error != 0 && error != ENOTSUP) throw upload::refusal_of(error);
}

}  // namespace weir::dav
