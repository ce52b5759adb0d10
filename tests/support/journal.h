#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/unique_fd.h"

namespace weir::tests {

/// What happened inside the server, line by line. A pipe, so that handlers may write from any
/// thread or process, and a test can wait for a line without polling memory.
class Journal {
   public:
    Journal();

    /// Any thread. Throws nothing; a line that finds the pipe full is a fault of the test.
    void note(std::string_view line) noexcept;

    /// Waits for that line; throws Unexpected where it doesn't come.
    void await(std::string_view line);
    /// Of what was noted up to now.
    int count(std::string_view line);
    std::vector<std::string> lines();

   private:
    bool read_more(int timeout_ms);

    net::UniqueFd out_;  // for reading
    net::UniqueFd in_;   // for writing
    std::string partial_;
    std::vector<std::string> lines_;
};

}  // namespace weir::tests
