#include "cli/beside/accept_queues.h"

#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/hexadecimal.h"
#include "net/address.h"
#include "server/entrance/endpoint.h"

namespace weir::cli {
namespace {

constexpr std::array tables{"/proc/self/net/tcp", "/proc/self/net/tcp6"};
constexpr std::size_t lines_max = 10'000;

/// The kernel writes an address as numbers of 32 bits, each in the order of this machine.
template <typename Integer>
void append_number(std::string& out, Integer number) {
    for (unsigned shift = 8 * sizeof number; shift > 0; shift -= 8)
        append_hex_byte(out, static_cast<unsigned char>(number >> (shift - 8)), upper_hex_digits);
}

template <typename Form>
Form form_of(const net::Address& address) {
    Form form;
    std::memcpy(&form, address.data(), sizeof form);
    return form;
}

std::string as_in_the_tables(const net::Address& address) {
    std::string text;
    if (address.family() == AF_INET)
        append_number(text, form_of<sockaddr_in>(address).sin_addr.s_addr);
    else
        for (const auto each :
             std::bit_cast<std::array<std::uint32_t, 4>>(form_of<sockaddr_in6>(address).sin6_addr))
            append_number(text, each);
    append_number(text += ':', address.port());
    return text;
}

}  // namespace

void AcceptQueues::watch(std::span<const std::string> addresses) {
    for (const std::string& each : addresses)
        if (const auto address = server::parse_endpoint(each, 0); address && !address->is_unix())
            listeners_.push_back(as_in_the_tables(*address));
}

std::optional<std::uint64_t> AcceptQueues::length() const {
    std::optional<std::uint64_t> sum;
    for (const char* const name : tables)
        if (std::ifstream table{name}; table && !listeners_.empty())
            sum = sum.value_or(0) + length_in(table);
    return sum;
}

/// The listeners stand above all connections, which may be very many.
std::uint64_t AcceptQueues::length_in(std::istream& table) const {
    constexpr std::string_view listening = "0A";
    std::uint64_t sum = 0;
    std::string line;
    std::getline(table, line);  // the names of the columns
    for (std::size_t count = 0; count < lines_max && std::getline(table, line); ++count) {
        std::istringstream columns{line};
        std::string number, local, remote, state, queues;
        columns >> number >> local >> remote >> state >> queues;
        if (state != listening) break;
        const auto colon = queues.find(':');
        if (colon != queues.npos && std::ranges::find(listeners_, local) != listeners_.end())
            sum += std::strtoull(queues.c_str() + colon + 1, nullptr, 16);
    }
    return sum;
}

}  // namespace weir::cli
