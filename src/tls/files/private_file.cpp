#include "tls/files/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <system_error>

#include "base/last_error.h"
#include "net/system/system_limits.h"
#include "net/unique_fd.h"
#include "net/write_all.h"

namespace weir::tls {

std::expected<void, std::string> write_private(const std::string& path, std::string_view text) {
    const std::string temporary = path + ".new";
    ::unlink(temporary.c_str());
    const net::UniqueFd file{
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
    if (file && net::write_all(file.get(), text) && ::fsync(file.get()) == 0 &&
        ::rename(temporary.c_str(), path.c_str()) == 0)
        return {};
    const auto error = last_error();
    return std::unexpected{net::with_limit("cannot write " + path, error) + ": " + error.message()};
}

}  // namespace weir::tls
