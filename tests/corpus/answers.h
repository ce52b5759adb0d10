#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::tests {

/// Reads what a connection sent, as strictly as a test should: each answer becomes an event such as
/// "200", "200 chunked" or "400 The Host field is missing". What is not an answer, or lacks what
/// each must have, becomes an event that no corpus expects.
std::vector<std::string> read_answers(std::string_view sent, bool closes);

}  // namespace weir::tests
