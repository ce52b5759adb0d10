#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "http/hpack/tables.h"

namespace weir::http::hpack {

/// The dynamic table of a decoder (RFC 7541 2.3.2). It has no memory until a field enters it.
class DynamicTable {
   public:
    /// What this side allows: the default of RFC 9113 6.5.2.
    static constexpr std::size_t size_max = 4096;

    std::size_t count() const noexcept { return count_; }
    /// The memory that it has.
    std::size_t bytes() const noexcept { return memory_ ? sizeof(Memory) : 0; }
    /// 0 is the newest field; `number` is below count(). Stays until the next add() or resize().
    StaticField at(std::size_t number) const noexcept;
    /// Neither name nor value lies in the table.
    void add(std::string_view name, std::string_view value);
    /// At most `size_max`.
    void resize(std::size_t size) noexcept;

   private:
    static constexpr std::size_t field_overhead = 32;  // RFC 7541 4.1
    static constexpr std::size_t fields_max = size_max / field_overhead;

    struct Place {
        std::uint16_t begin, name_size, value_size;
    };
    /// The fields lie one behind the other. At the end of the text, those that are left move to its
    /// beginning.
    struct Memory {
        std::array<Place, fields_max> places;  // a ring
        std::array<char, 2 * size_max> text;
    };

    void evict_until(std::size_t size_left) noexcept;
    const Place& place(std::size_t number) const noexcept {
        return memory_->places[(first_ + count_ - 1 - number) % fields_max];
    }

    std::unique_ptr<Memory> memory_;
    std::uint16_t first_ = 0;  // the oldest field's place
    std::uint16_t count_ = 0;
    std::uint16_t text_end_ = 0;
    std::uint16_t size_ = 0;
    std::uint16_t limit_ = size_max;
};

/// Takes the fields of a header section, one after the other.
class FieldVisitor {
   public:
    /// `name_is_token`: it is one of the names of RFC 7541's own table, which need no check. Both are
    /// borrowed for the call.
    virtual void field(std::string_view name, std::string_view value, bool name_is_token) = 0;

   protected:
    ~FieldVisitor() = default;
};

/// Decodes the header sections of a connection, in their order (RFC 7541).
class Decoder {
   public:
    /// A whole section. False where it is malformed: the connection can't go on then.
    /// Throws std::bad_alloc.
    bool decode(std::string_view block, FieldVisitor& visitor);

    std::size_t bytes() const noexcept { return table_.bytes(); }

   private:
    class Reading;

    DynamicTable table_;
};

}  // namespace weir::http::hpack
