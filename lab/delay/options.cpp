#include "options.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace lab {
namespace {

[[noreturn]] void usage() {
    std::fputs(
        "usage: delay-proxy --listener DESCRIPTOR --to PORT "
        "--clients SHARE:ROUND_TRIP_MICROSECONDS:LOSS:BYTES_PER_SECOND ...\n",
        stderr);
    std::exit(2);
}

template <typename Number>
Number read(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (error != std::errc{} || end != text.end() || value < 0) usage();
    return value;
}

Clients read_clients(std::string_view text) {
    std::array<double, 4> numbers{};
    for (double& number : numbers) {
        const auto end = text.find(':');
        number = read<double>(text.substr(0, end));
        text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    }
    const auto [share, microseconds, loss, bytes_per_second] = numbers;
    if (!text.empty() || share <= 0 || loss >= 1) usage();
    return {share, Nanoseconds{static_cast<std::int64_t>(microseconds * 1000)}, loss,
            bytes_per_second};
}

}  // namespace

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i], value = argv[i + 1];
        if (name == "--to")
            options.server_port = read<std::uint16_t>(value);
        else if (name == "--listener")
            options.listener = read<int>(value);
        else if (name == "--clients")
            options.clients.push_back(read_clients(value));
        else
            usage();
    }
    if (argc % 2 == 0 || options.server_port == 0 || options.listener < 0 ||
        options.clients.empty())
        usage();
    return options;
}

}  // namespace lab
