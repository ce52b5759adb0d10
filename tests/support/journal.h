#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "net/unique_fd.h"

namespace weir::tests {

/// Records what happens inside the server, line by line. It is a pipe, so that handlers can write
/// from any thread or process, and a test can wait for a line without polling memory.
class Journal {
   public:
    Journal();

    /// Any thread may call it. Never throws; if the pipe is full, the test is wrong.
    void note(std::string_view line) noexcept;

    /// Waits for one of these lines; throws Unexpected if none comes.
    void await(std::initializer_list<std::string_view> lines);
    void await(std::string_view line) { await({line}); }
    /// Counts the occurrences of that line so far.
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
