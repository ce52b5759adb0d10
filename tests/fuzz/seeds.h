#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::tests {

/// What the fuzzer of that name starts from, without control bytes: the corpus' inputs and their
/// content, and the lines of seeds/<name>.txt, which are written as in the corpus. Lines with `#`
/// at the start are comments.
std::vector<std::string> read_seeds(std::string_view name);

/// `text` with the control bytes that FuzzInput takes off; `number` chooses them. There are 32.
std::string with_control(std::string_view text, unsigned number);

/// The inputs, control bytes and all, that once made the fuzzer of that name fail:
/// findings/<name>-*.
std::vector<std::string> read_findings(std::string_view name);

}  // namespace weir::tests
