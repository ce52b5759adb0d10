#pragma once

#include <cstdlib>
#include <string>
#include <utility>

namespace weir::cli {

/// Sets an environment variable for the duration of a test.
class Variable {
   public:
    Variable(std::string name, const std::string& value) : name_{std::move(name)} {
        ::setenv(name_.c_str(), value.c_str(), 1);
    }
    ~Variable() { ::unsetenv(name_.c_str()); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

   private:
    std::string name_;
};

}  // namespace weir::cli
