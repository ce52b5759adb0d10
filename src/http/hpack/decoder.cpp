#include "http/hpack/decoder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "http/hpack/huffman.h"

namespace weir::http::hpack {

StaticField DynamicTable::at(std::size_t number) const noexcept {
    const Place& found = place(number);
    const char* const text = memory_->text.data() + found.begin;
    return {{text, found.name_size}, {text + found.name_size, found.value_size}};
}

void DynamicTable::evict_until(std::size_t size_left) noexcept {
    while (size_ > size_left) {
        const Place& oldest = place(count_ - 1u);
        size_ -= static_cast<std::uint16_t>(oldest.name_size + oldest.value_size + field_overhead);
        first_ = static_cast<std::uint16_t>((first_ + 1u) % fields_max);
        --count_;
    }
}

void DynamicTable::resize(std::size_t size) noexcept {
    limit_ = static_cast<std::uint16_t>(size);
    evict_until(limit_);
}

void DynamicTable::add(std::string_view name, std::string_view value) {
    const std::size_t size = name.size() + value.size() + field_overhead;
    // RFC 7541 4.4: a field that is too large empties the table. This is not an error.
    if (size > limit_) return evict_until(0);
    evict_until(limit_ - size);
    if (!memory_) memory_ = std::make_unique_for_overwrite<Memory>();
    if (count_ == 0) text_end_ = 0;
    if (text_end_ + name.size() + value.size() > memory_->text.size()) {
        const std::uint16_t begin = place(count_ - 1u).begin;
        std::copy(memory_->text.begin() + begin, memory_->text.begin() + text_end_,
                  memory_->text.begin());
        for (std::size_t i = 0; i < count_; ++i)
            memory_->places[(first_ + i) % fields_max].begin -= begin;
        text_end_ -= begin;
    }
    char* const text = memory_->text.data() + text_end_;
    value.copy(text + name.copy(text, name.size()), value.size());
    memory_->places[(first_ + count_) % fields_max] = {text_end_,
                                                       static_cast<std::uint16_t>(name.size()),
                                                       static_cast<std::uint16_t>(value.size())};
    ++count_;
    text_end_ += static_cast<std::uint16_t>(name.size() + value.size());
    size_ += static_cast<std::uint16_t>(size);
}

/// Reads one section. Each function takes bytes from the front of `left_`, and fails if they are
/// malformed.
class Decoder::Reading {
   public:
    Reading(DynamicTable& table, std::string_view block, FieldVisitor& visitor)
        : table_{table}, left_{block}, visitor_{visitor} {}

    bool read() {
        bool at_begin = true;
        while (!left_.empty()) {
            const auto first = static_cast<unsigned char>(left_.front());
            if (is_table_size(first)) {
                if (!at_begin || !read_table_size()) return false;
                continue;
            }
            at_begin = false;
            if (!((first & 0x80u) != 0 ? read_indexed() : read_literal(first))) return false;
        }
        return true;
    }

   private:
    struct Named {
        StaticField field;
        bool is_static;
    };

    static bool is_table_size(unsigned char first) { return (first & 0xe0u) == 0x20; }

    /// Reads an integer (RFC 7541 5.1) from the `bits` low bits of the first byte and the next
    /// bytes.
    std::optional<std::size_t> read_number(unsigned bits) {
        constexpr std::size_t number_max = 1u << 24u;  // more than a frame or a table has
        const unsigned mask = (1u << bits) - 1;
        std::size_t number = static_cast<unsigned char>(left_.front()) & mask;
        left_.remove_prefix(1);
        if (number != mask) return number;
        for (unsigned shift = 0; !left_.empty() && shift <= 21; shift += 7) {
            const auto byte = static_cast<unsigned char>(left_.front());
            left_.remove_prefix(1);
            number += static_cast<std::size_t>(byte & 0x7fu) << shift;
            if ((byte & 0x80u) == 0)
                return number <= number_max ? std::optional{number} : std::nullopt;
        }
        return std::nullopt;
    }

    /// Memory for a decoded string. Most strings are short and need no allocation.
    class Room {
       public:
        char* of(std::size_t size) {
            if (size <= small_.size()) return small_.data();
            if (large_.size() < size) large_.resize(size);
            return large_.data();
        }

       private:
        std::array<char, 256> small_;
        std::string large_;
    };

    /// Reads a string (RFC 7541 5.2). The result is a view of the input, or of `room` if the string
    /// has a Huffman code.
    std::optional<std::string_view> read_string(Room& room) {
        if (left_.empty()) return std::nullopt;
        const bool is_encoded = (static_cast<unsigned char>(left_.front()) & 0x80u) != 0;
        const auto size = read_number(7);
        if (!size || *size > left_.size()) return std::nullopt;
        const std::string_view text = left_.substr(0, *size);
        left_.remove_prefix(*size);
        if (!is_encoded) return text;
        char* const begin = room.of(huffman_bytes_max(*size) + 1);
        const char* const end = decode_huffman(text, begin);
        if (end == nullptr) return std::nullopt;
        return std::string_view{begin, end};
    }

    std::optional<Named> find(std::size_t index) const {
        if (index == 0) return std::nullopt;
        if (index <= static_fields.size()) return Named{static_fields[index - 1], true};
        index -= static_fields.size() + 1;
        if (index >= table_.count()) return std::nullopt;
        return Named{table_.at(index), false};
    }

    bool read_indexed() {
        const auto index = read_number(7);
        const auto named = index ? find(*index) : std::nullopt;
        if (!named) return false;
        visitor_.field(named->field.name, named->field.value, named->is_static);
        return true;
    }

    bool read_literal(unsigned char first) {
        const bool enters_table = (first & 0x40u) != 0;
        const auto index = read_number(enters_table ? 6 : 4);
        if (!index) return false;
        std::optional<Named> named;
        if (*index == 0) {
            const auto name = read_string(names_);
            if (!name) return false;
            named = Named{{*name, {}}, false};
        } else {
            named = find(*index);
            if (!named) return false;
            if (enters_table && !named->is_static)  // add() may move the name
                named->field.name = copy(named->field.name);
        }
        const auto value = read_string(values_);
        if (!value) return false;
        visitor_.field(named->field.name, *value, named->is_static);
        if (enters_table) table_.add(named->field.name, *value);
        return true;
    }

    std::string_view copy(std::string_view name) {
        char* const begin = names_.of(name.size());
        name.copy(begin, name.size());
        return {begin, name.size()};
    }

    bool read_table_size() {
        const auto size = read_number(5);
        if (!size || *size > DynamicTable::size_max) return false;
        table_.resize(*size);
        return true;
    }

    DynamicTable& table_;
    std::string_view left_;
    FieldVisitor& visitor_;
    Room names_;
    Room values_;
};

bool Decoder::decode(std::string_view block, FieldVisitor& visitor) {
    return Reading{table_, block, visitor}.read();
}

}  // namespace weir::http::hpack
