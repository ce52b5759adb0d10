#include "http/hpack/response_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "http/frames/frame.h"
#include "http/hpack/connection_fields.h"
#include "http/hpack/tables.h"
#include "weir/http/field_name.h"

namespace weir::http::http2 {
namespace {

constexpr std::size_t slot_count = 128;
constexpr std::size_t name_size_min = 3;

/// Gives each name of the static table a slot of its own.
constexpr std::size_t slot_of(std::string_view name) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(name[at]); };
    return (name.size() * 3 + byte(0) * 9u + byte(name.size() - 1) * 24u +
            byte(name.size() / 2) * 45u + byte(name.size() - 3) * 7u) %
           slot_count;
}

/// The index of the static field with that name, for each slot; 0: none.
constexpr auto static_names = [] {
    std::array<std::uint8_t, slot_count> indices{};
    for (std::size_t i = 0; i < hpack::static_fields.size(); ++i) {
        const std::string_view name = hpack::static_fields[i].name;
        if (name.starts_with(':')) continue;
        std::uint8_t& index = indices[slot_of(name)];
        if (index != 0 && hpack::static_fields[index - 1u].name != name)
            throw "two names share a slot: choose other factors in slot_of";
        if (index == 0) index = static_cast<std::uint8_t>(i + 1);
    }
    return indices;
}();

constexpr std::uint8_t index_of(std::string_view name) noexcept {
    if (name.size() < name_size_min) return 0;
    const std::uint8_t index = static_names[slot_of(name)];
    return index != 0 && hpack::static_fields[index - 1u].name == name ? index : 0;
}
static_assert(index_of("www-authenticate") == 61 && index_of("age") == 21);

constexpr std::uint8_t status_index = 8;  // of ":status: 200", the first with that name
constexpr std::uint8_t length_index = index_of("content-length");
constexpr std::uint8_t date_index = index_of("date");
constexpr std::uint8_t coding_index = index_of("transfer-encoding");

/// Handles eight bytes at once: each byte of 'A' to 'Z' gets the bit that makes it small.
constexpr std::uint64_t small_letters(std::uint64_t word) noexcept {
    constexpr std::uint64_t each = 0x0101'0101'0101'0101;
    const std::uint64_t low = word & (each * 0x7f);
    const std::uint64_t from_a = low + each * (0x80 - 'A'), past_z = low + each * (0x7f - 'Z');
    return word | ((from_a & ~past_z & ~word & (each * 0x80)) >> 2u);
}

/// Writes the name with small letters.
char* write_small(char* at, std::string_view name) noexcept {
    for (; name.size() >= 8; name.remove_prefix(8), at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, name.data(), 8);
        word = small_letters(word);
        std::memcpy(at, &word, 8);
    }
    for (const char letter : name) {
        const bool is_large = static_cast<unsigned char>(letter) - unsigned{'A'} < 26;
        *at++ = is_large ? static_cast<char>(letter | 0x20) : letter;
    }
    return at;
}

/// Writes fields without bounds checks: the caller has reserved memory for everything.
class FieldWriter {
   public:
    explicit FieldWriter(char* at) noexcept : at_{at} {}

    char* at() const noexcept { return at_; }

    /// RFC 7541 6.3
    void empty_table() noexcept { *at_++ = 0x20; }

    void status(Status status) noexcept {
        const auto index = indexed(code(status));
        if (index != 0) {
            *at_++ = static_cast<char>(0x80u | index);
            return;
        }
        const unsigned number = code(status);
        const std::array<char, 3> digits{static_cast<char>('0' + number / 100 % 10),
                                         static_cast<char>('0' + number / 10 % 10),
                                         static_cast<char>('0' + number % 10)};
        field(status_index, {digits.data(), digits.size()});
    }
    void length(std::uint64_t length) noexcept {
        std::array<char, 20> digits;
        const char* const end =
            std::to_chars(digits.data(), digits.data() + digits.size(), length).ptr;
        field(length_index, {digits.data(), end});
    }
    void date(const DateLine& line) noexcept {
        constexpr std::size_t name_size = std::string_view{"Date: "}.size();
        field(date_index, {line.data() + name_size, line.size() - name_size - 2});
    }

    /// Writes "Name: value\r\n"... with the names in lower case, as in HTTP/2.
    void lines(std::string_view lines) noexcept {
        while (!lines.empty()) {
            const std::size_t colon = lines.find(':');
            const std::size_t end = lines.find('\r');
            const bool is_line = colon < end && end < lines.size() - 1;
            if (!is_line) return;  // malformed prepared fields
            std::string_view value = lines.substr(colon + 1, end - colon - 1);
            if (value.starts_with(' ')) value.remove_prefix(1);
            line(lines.substr(0, colon), value);
            lines.remove_prefix(end + 2);
        }
    }

    /// Copies fields that were written before.
    void block(std::string_view written) noexcept { at_ += written.copy(at_, written.size()); }

   private:
    static constexpr std::uint8_t indexed(unsigned status) noexcept {
        switch (status) {
            case 200: return 8;
            case 204: return 9;
            case 206: return 10;
            case 304: return 11;
            case 400: return 12;
            case 404: return 13;
            case 500: return 14;
            default: return 0;
        }
    }

    /// Writes an integer (RFC 7541 5.1) in the `bits` low bits of `first` and the next bytes.
    void number(unsigned first, unsigned bits, std::size_t number) noexcept {
        const std::size_t mask = (std::size_t{1} << bits) - 1;
        if (number < mask) {
            *at_++ = static_cast<char>(first | number);
            return;
        }
        *at_++ = static_cast<char>(first | mask);
        for (number -= mask; number >= 0x80; number >>= 7u)
            *at_++ = static_cast<char>(0x80u | (number & 0x7fu));
        *at_++ = static_cast<char>(number);
    }
    /// Writes no Huffman code: it is shorter, but costs more time than it saves.
    void string(std::string_view text) noexcept {
        number(0, 7, text.size());
        at_ += text.copy(at_, text.size());
    }
    /// RFC 7541 6.2.2
    void field(std::uint8_t index, std::string_view value) noexcept {
        number(0, 4, index);
        string(value);
    }

    void line(std::string_view name, std::string_view value) noexcept {
        // The name is written in lower case at the place of a new name. If the table has the name,
        // its index then replaces it.
        char* const begin = at_;
        number(0, 4, 0);
        number(0, 7, name.size());
        char* const small = at_;
        at_ = write_small(small, name);
        const std::string_view written{small, name.size()};
        const std::uint8_t index = index_of(written);
        if (index != 0) {
            at_ = begin;
            if (index == coding_index) return;
            number(0, 4, index);
        } else if (is_of_connection(written)) {  // handlers may set it for HTTP/1.1
            at_ = begin;
            return;
        }
        string(value);
    }

    char* at_;
};

/// Memory for all that is not a line of the response: size update, status, date, length.
constexpr std::size_t fixed_bytes_max = 128;
/// Twice the size of the lines is enough. HPACK replaces the ": " and CRLF of a line by one byte
/// and two lengths, of at most 4 bytes each for texts of less than 2^21 bytes.
constexpr std::size_t room_for(std::size_t lines_bytes) noexcept { return 2 * lines_bytes; }

/// Writes the frame heads. A section that is longer than a frame goes on in CONTINUATION frames.
void commit(OutputBuffer& output, char* begin, std::size_t size, StreamId stream,
            std::uint8_t flags) {
    const bool is_one_frame = size <= frame_bytes_max;
    const auto first = static_cast<std::uint32_t>(std::min<std::size_t>(size, frame_bytes_max));
    const auto first_flags =
        static_cast<std::uint8_t>(is_one_frame ? flags | flag::end_headers : flags);
    write_frame_head(begin, {first, FrameType::headers, first_flags, stream});
    if (is_one_frame) return output.commit(frame_head_bytes + size);

    const std::string rest{begin + frame_head_bytes + first, size - first};
    output.commit(frame_head_bytes + first);
    for (std::string_view left = rest; !left.empty();) {
        const std::string_view part = left.substr(0, frame_bytes_max);
        left.remove_prefix(part.size());
        append_frame(output,
                     {.size = static_cast<std::uint32_t>(part.size()),
                      .type = FrameType::continuation,
                      .flags = left.empty() ? flag::end_headers : std::uint8_t{0},
                      .stream = stream},
                     part);
    }
}

/// Renders one section, whose fields `write(writer)` writes: lines in at most `bytes_max` bytes.
template <typename Write>
void render(OutputBuffer& output, StreamId stream, std::size_t bytes_max, bool ends_stream,
            Write write) {
    char* const begin = output.room(frame_head_bytes + fixed_bytes_max + bytes_max);
    FieldWriter writer{begin + frame_head_bytes};
    write(writer);
    const auto size = static_cast<std::size_t>(writer.at() - begin) - frame_head_bytes;
    commit(output, begin, size, stream, ends_stream ? flag::end_stream : std::uint8_t{0});
}

}  // namespace

void render_head(OutputBuffer& output, const Response& response, const HeadFacts& facts) {
    const std::string_view own = response.own_fields(), prepared = response.prepared_fields();
    const std::string_view block = response.prepared_block();
    render(output, facts.stream, room_for(own.size() + prepared.size()) + block.size(),
           facts.ends_stream, [&](FieldWriter& writer) {
               if (facts.empties_table) writer.empty_table();
               writer.status(response.status());
               if (facts.date_line != nullptr) writer.date(*facts.date_line);
               block.empty() ? writer.lines(prepared) : writer.block(block);
               writer.lines(own);
               if (facts.content_length) writer.length(*facts.content_length);
           });
}

std::string field_block(std::string_view lines) {
    std::string block(room_for(lines.size()), '\0');
    FieldWriter writer{block.data()};
    writer.lines(lines);
    block.resize(static_cast<std::size_t>(writer.at() - block.data()));
    return block;
}

void render_interim(OutputBuffer& output, StreamId stream, Status status, std::string_view lines,
                    bool empties_table) {
    render(output, stream, room_for(lines.size()), false, [&](FieldWriter& writer) {
        if (empties_table) writer.empty_table();
        writer.status(status);
        writer.lines(lines);
    });
}

void render_trailers(OutputBuffer& output, StreamId stream, std::string_view lines,
                     bool empties_table) {
    render(output, stream, room_for(lines.size()), true, [&](FieldWriter& writer) {
        if (empties_table) writer.empty_table();
        writer.lines(lines);
    });
}

}  // namespace weir::http::http2
