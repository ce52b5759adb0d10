#include "http/hpack/huffman.h"

#include <array>
#include <cstdint>

#include "http/hpack/tables.h"

namespace weir::http::hpack {
namespace {

constexpr unsigned symbols = huffman_bits.size();  // the bytes, and the end of a string
constexpr unsigned nodes = symbols - 1;            // of a binary tree with so many leaves
constexpr unsigned bits_max = 30;

/// The code as a tree. A child is the number of a node, or `leaf` plus a symbol. Node 0 is the
/// root.
struct Tree {
    static constexpr std::uint16_t leaf = 0x8000;

    std::array<std::array<std::uint16_t, 2>, nodes> children{};

    constexpr Tree() {
        unsigned nodes_used = 1;
        std::uint32_t code = 0;
        for (unsigned bits = 1; bits <= bits_max; ++bits, code <<= 1)
            for (unsigned symbol = 0; symbol < symbols; ++symbol)
                if (huffman_bits[symbol] == bits) add(code++, bits, symbol, nodes_used);
        if (nodes_used != nodes) throw "the sizes are not those of a whole code";
    }

   private:
    constexpr void add(std::uint32_t code, unsigned bits, unsigned symbol, unsigned& nodes_used) {
        unsigned node = 0;
        for (unsigned bit = bits - 1; bit != 0; --bit) {
            std::uint16_t& child = children[node][code >> bit & 1];
            if (child == 0) child = static_cast<std::uint16_t>(nodes_used++);
            node = child;
        }
        children[node][code & 1] = static_cast<std::uint16_t>(leaf | symbol);
    }
};

/// The result of four bits at a node. They end at most one symbol, because each has at least five
/// bits.
struct Move {
    std::uint8_t to = 0;
    std::uint8_t symbol = 0;
    bool ends_symbol = false;
    bool fails = false;
};

struct Machine {
    std::array<std::array<Move, 16>, nodes> moves{};
    /// True for the nodes at which a string may end: after a symbol, and after up to seven ones of
    /// padding.
    std::array<bool, nodes> is_end{};

    constexpr Machine() {
        constexpr Tree tree;
        for (unsigned node = 0; node < nodes; ++node)
            for (unsigned nibble = 0; nibble < 16; ++nibble)
                moves[node][nibble] = move(tree, node, nibble);
        constexpr unsigned padding_max = 7;
        unsigned node = 0;
        for (unsigned bits = 0; bits <= padding_max; ++bits, node = tree.children[node][1])
            is_end[node] = true;
    }

   private:
    static constexpr Move move(const Tree& tree, unsigned node, unsigned nibble) {
        constexpr unsigned end_of_string = symbols - 1;
        Move move;
        for (unsigned bit = 4; bit-- != 0;) {
            const unsigned child = tree.children[node][nibble >> bit & 1];
            node = child;
            if ((child & Tree::leaf) == 0) continue;
            const unsigned symbol = child - Tree::leaf;
            if (symbol == end_of_string) move.fails = true;
            move.symbol = static_cast<std::uint8_t>(symbol);
            move.ends_symbol = true;
            node = 0;
        }
        move.to = static_cast<std::uint8_t>(node);
        return move;
    }
};

constexpr Machine machine;

}  // namespace

char* decode_huffman(std::string_view code, char* to) noexcept {
    unsigned node = 0;
    bool fails = false;
    const auto take = [&](unsigned nibble) {
        const Move move = machine.moves[node][nibble];
        *to = static_cast<char>(
            move.symbol);  // if no symbol ends, the next call writes over it: `to` has a byte more
        to += move.ends_symbol ? 1 : 0;
        fails |= move.fails;
        node = move.to;
    };
    for (const char byte : code) {
        const auto bits = static_cast<unsigned char>(byte);
        take(bits >> 4u);
        take(bits & 15u);
    }
    return fails || !machine.is_end[node] ? nullptr : to;
}

}  // namespace weir::http::hpack
