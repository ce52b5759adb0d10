// write_seeds <name> <directory>: writes the seeds of a fuzzer as files for libFuzzer to start from.

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/seeds.h"

int main(int count, char** arguments) {
    if (count != 3) {
        std::fputs("usage: write_seeds NAME DIRECTORY\n", stderr);
        return 2;
    }
    const auto seeds = weir::tests::read_seeds(arguments[1]);
    const std::filesystem::path directory{arguments[2]};
    std::filesystem::create_directories(directory);
    for (unsigned number = 0; number < seeds.size(); ++number) {
        std::ofstream file{directory / ("seed-" + std::to_string(number)), std::ios::binary};
        file << weir::tests::with_control(seeds[number], number % 16);
    }
    return 0;
}
