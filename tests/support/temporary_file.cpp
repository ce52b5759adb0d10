#include "support/temporary_file.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/incoming.h"

namespace weir::tests {

TemporaryFile::TemporaryFile() {
    auto path = (std::filesystem::temp_directory_path() / "weir-test-XXXXXX").string();
    fd_.reset(::mkstemp(path.data()));
    if (!fd_) throw Unexpected{"mkstemp " + path};
    ::unlink(path.c_str());
}

void TemporaryFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(fd(), bytes.data(), bytes.size());
        if (written <= 0) throw Unexpected{"write to a temporary file"};
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void TemporaryFile::resize(std::uint64_t bytes) {
    if (::ftruncate(fd(), static_cast<off_t>(bytes)) != 0) throw Unexpected{"ftruncate"};
}

}  // namespace weir::tests
