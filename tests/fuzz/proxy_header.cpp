// The header of the PROXY protocol: version 1 is a line of its grammar, and version 2 says its size.
// What is whole stays whole with more behind it, and each beginning of it is incomplete.

#include "server/proxied/proxy_header.h"

#include <arpa/inet.h>

#include <array>
#include <regex>

#include "fuzz/fuzz_input.h"

namespace weir::tests {
namespace {

using server::ProxyHeader;
using server::read_proxy_header;
using State = ProxyHeader::State;

constexpr std::string_view signature{"\r\n\r\n\0\r\nQUIT\n", 12};

ProxyHeader read(std::string_view bytes) {
    const ExactCopy copy{bytes};
    return read_proxy_header(copy.view());
}

bool is_address(int family, const std::string& text) {
    std::array<unsigned char, 16> bytes{};
    return ::inet_pton(family, text.c_str(), bytes.data()) == 1;
}

/// The specification's grammar of version 1.
bool is_line(const std::string& line) {
    static const std::regex known{
        "PROXY (TCP4|TCP6) ([0-9a-fA-F:.]+) ([0-9a-fA-F:.]+) (0|[1-9][0-9]{0,4}) "
        "(0|[1-9][0-9]{0,4})\r\n"};
    if (line.size() > 107 || !line.ends_with("\r\n")) return false;
    if (line == "PROXY UNKNOWN\r\n" || line.starts_with("PROXY UNKNOWN ")) return true;
    std::smatch part;
    if (!std::regex_match(line, part, known)) return false;
    const int family = part[1] == "TCP4" ? AF_INET : AF_INET6;
    return is_address(family, part[2]) && is_address(family, part[3]) &&
           std::stoi(part[4]) <= 65'535 && std::stoi(part[5]) <= 65'535;
}

void check_line(std::string_view text, const ProxyHeader& header) {
    const auto end = text.find("\r\n");
    const std::string line{text.substr(0, end == text.npos ? end : end + 2)};
    if (is_line(line)) require(header.state == State::whole && header.size == line.size());
    if (header.state == State::whole) require(is_line(line));
}

void check_binary(std::string_view text, const ProxyHeader& header) {
    if (header.state != State::whole) return;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    require(header.size == 16u + byte(14) * 256u + byte(15));
    require(byte(12) == 0x20 || byte(12) == 0x21);
    if (byte(12) == 0x20) require(header.address.empty());
    if (header.address.empty() || header.address == "unix:") return;
    require(byte(13) == 0x11 || byte(13) == 0x21);
    require(is_address(AF_INET, header.address) || byte(13) == 0x21);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const std::string_view text = input.text;
    const ProxyHeader header = read(text);
    if (text.starts_with(signature)) check_binary(text, header);
    if (text.starts_with("PROXY ")) check_line(text, header);
    if (header.state == State::whole) {
        require(header.size <= text.size());
        require(header.address.empty() || header.address == "unix:" ||
                is_address(AF_INET, header.address) || is_address(AF_INET6, header.address));
        const ProxyHeader alone = read(text.substr(0, header.size));
        require(alone.state == State::whole && alone.address == header.address);
        if (input.cut < header.size)
            require(read(text.substr(0, input.cut)).state == State::incomplete);
    }
    if (header.state == State::incomplete) {
        require(text.size() < server::proxy_header_bytes_max);
        require(read(text.substr(0, input.cut)).state == State::incomplete);
    }
}

}  // namespace weir::tests
