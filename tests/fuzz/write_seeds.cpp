// write_seeds <directory>...: writes the corpus' inputs as files for libFuzzer to start from.

#include <filesystem>
#include <fstream>

#include "corpus/corpus_case.h"
#include "fuzz/fuzz_input.h"

int main(int count, char** arguments) {
    const auto cases = weir::tests::read_corpus(WEIR_CORPUS_DIRECTORY);
    for (int i = 1; i < count; ++i) {
        const std::filesystem::path directory{arguments[i]};
        std::filesystem::create_directories(directory);
        for (std::size_t number = 0; number < cases.size(); ++number) {
            std::ofstream file{directory / ("corpus-" + std::to_string(number)), std::ios::binary};
            const auto cut = static_cast<char>(number % 128);
            file << cases[number].input << '\0' << cut << static_cast<char>(number % 16) << '\0';
        }
    }
    return 0;
}
