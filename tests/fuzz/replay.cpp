// Plays to a fuzzer's code its seeds and what it once found, without libFuzzer: so it is built and
// run by every compiler. Named files are played instead, as they are.

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/fuzz_input.h"
#include "fuzz/seeds.h"

namespace {

using weir::tests::FuzzInput;

std::string played;

/// As $'...' of a shell takes it.
void show_played(int) {
    std::fputs("the input: $'", stderr);
    for (const char c : played)
        if (c >= ' ' && c <= '~' && c != '\'' && c != '\\')
            std::fputc(c, stderr);
        else
            std::fprintf(stderr, "\\x%02x", static_cast<unsigned char>(c));
    std::fputs("'\n", stderr);
}

void play(const std::string& bytes) {
    played = bytes;
    if (bytes.size() >= FuzzInput::control_size) weir::tests::fuzz(FuzzInput::from(bytes));
}

void replay_known(const char* name) {
    for (const std::string& seed : weir::tests::read_seeds(name))
        for (unsigned number = 0; number < 32; ++number)
            play(weir::tests::with_control(seed, number));
    for (const std::string& finding : weir::tests::read_findings(name)) play(finding);
}

void replay_file(const char* path) {
    std::ifstream file{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    play(bytes);
    std::printf("%s: %zu bytes\n", path, bytes.size());
}

/// The program's own name says what it plays: fuzz_NAME_replay.
std::string name_of(const std::filesystem::path& program) {
    const std::string name = program.filename().string();
    constexpr std::size_t before = 5, after = 7;
    return name.size() > before + after ? name.substr(before, name.size() - before - after) : "";
}

}  // namespace

int main(int count, char** arguments) {
    std::signal(SIGABRT, show_played);
    if (count == 1) replay_known(name_of(arguments[0]).c_str());
    for (int i = 1; i < count; ++i) replay_file(arguments[i]);
    return 0;
}
