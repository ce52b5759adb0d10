#include "fuzz/seeds.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "corpus/corpus_case.h"

namespace weir::tests {

std::vector<std::string> read_seeds(std::string_view name) {
    std::vector<std::string> seeds;
    const std::filesystem::path directory{WEIR_FUZZ_DIRECTORY};
    std::ifstream file{directory / "seeds" / (std::string{name} + ".txt")};
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') seeds.push_back(unescaped(line));
    for (const CorpusCase& one : read_corpus(WEIR_CORPUS_DIRECTORY)) {
        seeds.push_back(one.input);
        const std::size_t head_end = one.input.find("\r\n\r\n");
        if (head_end != std::string::npos) seeds.push_back(one.input.substr(head_end + 4));
    }
    return seeds;
}

std::string with_control(std::string_view text, unsigned number) {
    // Multiplied by an odd number, `number` makes all combinations of the lower five bits, and mixes
    // the upper three.
    const char control[] = {0, static_cast<char>(number * 5), static_cast<char>(number * 37),
                            static_cast<char>(number / 16)};
    return std::string{text}.append(control, sizeof control);
}

std::vector<std::string> read_findings(std::string_view name) {
    std::vector<std::string> findings;
    const std::string beginning = std::string{name} + "-";
    const std::filesystem::path directory{WEIR_FUZZ_DIRECTORY};
    for (const auto& entry : std::filesystem::directory_iterator{directory / "findings"}) {
        if (!entry.path().filename().string().starts_with(beginning)) continue;
        std::ifstream file{entry.path(), std::ios::binary};
        findings.emplace_back(std::istreambuf_iterator<char>{file},
                              std::istreambuf_iterator<char>{});
    }
    return findings;
}

}  // namespace weir::tests
