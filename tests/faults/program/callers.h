#pragma once

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace weir::tests {

/// Tells by its address who makes a system call. Where the loader, or a sanitizer's runtime, makes
/// it for itself, it is not the program's. All processes have the same map: they were forked.
class Callers {
   public:
    bool is_exempt(pid_t process, std::uint64_t address) {
        const Stretch* found = find(address);
        if (!found) {
            read(process);
            found = find(address);
        }
        return found && found->exempt;
    }

   private:
    struct Stretch {
        std::uint64_t begin;
        std::uint64_t end;
        bool exempt;
    };

    static bool is_exempt(std::string_view file) {
        constexpr std::array<std::string_view, 5> exempt{"/ld-linux", "/libasan", "/libubsan",
                                                         "/liblsan", "/libweir_failing"};
        return std::ranges::any_of(exempt, [&](auto part) { return file.contains(part); });
    }

    const Stretch* find(std::uint64_t address) const {
        const auto found = std::ranges::find_if(map_, [=](const Stretch& stretch) {
            return stretch.begin <= address && address < stretch.end;
        });
        return found == map_.end() ? nullptr : &*found;
    }

    void read(pid_t process) {
        map_.clear();
        std::ifstream maps{"/proc/" + std::to_string(process) + "/maps"};
        for (std::string line; std::getline(maps, line);) {
            if (!line.contains(" r-xp ")) continue;
            std::istringstream words{line};
            Stretch stretch{};
            char dash = 0;
            words >> std::hex >> stretch.begin >> dash >> stretch.end;
            stretch.exempt = is_exempt(line);
            map_.push_back(stretch);
        }
    }

    std::vector<Stretch> map_;
};

}  // namespace weir::tests
