// Plays to a fuzzer's code what the corpus holds, without libFuzzer: so it is built and run by every
// compiler. Named files are played instead, as they are.

#include <cstdio>
#include <fstream>
#include <iterator>

#include "corpus/corpus_case.h"
#include "fuzz/fuzz_input.h"

namespace {

using weir::tests::FuzzInput;

void replay_corpus() {
    for (const auto& one : weir::tests::read_corpus(WEIR_CORPUS_DIRECTORY)) {
        // Content is of interest by itself too.
        const std::size_t head_end = one.input.find("\r\n\r\n");
        const std::string content =
            head_end == std::string::npos ? std::string{} : one.input.substr(head_end + 4);
        for (const std::string& text : {one.input, content})
            for (unsigned char control = 0; control < 32; ++control) {
                const char bytes[] = {0, static_cast<char>(control * 5), static_cast<char>(control),
                                      static_cast<char>(control / 16)};
                weir::tests::fuzz(FuzzInput::from(text + std::string{bytes, sizeof bytes}));
            }
    }
}

void replay_file(const char* path) {
    std::ifstream file{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    if (bytes.size() >= FuzzInput::control_size) weir::tests::fuzz(FuzzInput::from(bytes));
    std::printf("%s: %zu bytes\n", path, bytes.size());
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 1) replay_corpus();
    for (int i = 1; i < count; ++i) replay_file(arguments[i]);
    return 0;
}
