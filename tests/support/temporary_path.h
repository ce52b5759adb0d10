#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace weir::tests {

/// Of this process alone: the tests of one program run side by side, each in a process of its own.
inline std::string temporary_path(std::string_view name) {
    return ::testing::TempDir() + std::string{name} + "-" + std::to_string(::getpid());
}

}  // namespace weir::tests
