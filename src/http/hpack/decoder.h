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
    /// The limit of this side, in bytes as RFC 7541 4.1 counts them: the default of RFC 9113 6.5.2.
    static constexpr std::size_t size_max = 4096;

    std::size_t count() const noexcept { return count_; }
    /// The allocated memory in bytes.
    std::size_t bytes() const noexcept { return memory_ ? sizeof(Memory) : 0; }
    /// 0 is the newest field; `number` is below count(). The result is valid until the next add()
    /// or resize().
    StaticField at(std::size_t number) const noexcept;
    /// Neither name nor value may lie in the table. Throws std::bad_alloc.
    void add(std::string_view name, std::string_view value);
    /// `size` is at most `size_max`.
    void resize(std::size_t size) noexcept;

   private:
    static constexpr std::size_t field_overhead = 32;  // RFC 7541 4.1
    static constexpr std::size_t fields_max = size_max / field_overhead;

    struct Place {
        std::uint16_t begin, name_size, value_size;
    };
    /// The fields lie one behind the other. If a new field does not fit at the end of the text, all
    /// fields move to its beginning.
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
    /// `name_is_token`: the name comes from the static table of RFC 7541, and needs no check. Name
    /// and value are borrowed for the call.
    virtual void field(std::string_view name, std::string_view value, bool name_is_token) = 0;

   protected:
    ~FieldVisitor() = default;
};

/// Decodes the header sections of a connection, in their order (RFC 7541).
class Decoder {
   public:
    /// Decodes a whole section. False if it is malformed: the connection must end then (RFC 9113
    /// 4.3). Throws std::bad_alloc.
    bool decode(std::string_view block, FieldVisitor& visitor);

    std::size_t bytes() const noexcept { return table_.bytes(); }

   private:
    class Reading;

    DynamicTable table_;
};

}  // namespace weir::http::hpack
