#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "http/head/head_states.h"
#include "http/syntax/fault.h"
#include "weir/http/head_index.h"
#include "weir/http/limits.h"

namespace weir::http {

struct HeadWalk;

/// The instructions that skip runs of plain bytes.
enum class InstructionSet : std::uint8_t { scalar, sse42, avx2 };

/// Returns the widest set that this machine has.
InstructionSet widest() noexcept;

/// Reads one request head, in pieces of any size. The transitions stand in one table
/// (head_states.h), from which docs/http-states.svg is drawn. The parser skips runs of plain bytes
/// many at a time (runs.h).
///
/// The caller keeps the head's bytes together: each call gets the head from its first byte on, and
/// parsing goes on where the last call stopped.
class HeadParser {
   public:
    enum class Result : std::uint8_t { more, complete, fault };

    /// `bytes` are all bytes received of this head so far, and any bytes that follow it. After
    /// `complete`, index.size is the size of the head. The index is syntax only; framing.h has the
    /// meaning. `limits` must be the same for all calls of one head.
    /// Throws std::bad_alloc if the index cannot grow.
    Result parse(std::string_view bytes, HeadIndex& index, const Limits& limits);
    /// Does the same with given instructions, for tests and measurements.
    Result parse(std::string_view bytes, HeadIndex& index, const Limits& limits,
                 InstructionSet instructions);

    /// Valid after Result::fault.
    Fault fault() const noexcept { return fault_; }
    /// True once a byte of a head was read. The one leading CRLF that RFC 9112 2.2 allows does not
    /// count.
    bool started() const noexcept { return state_ > State::method_first; }
    void reset() noexcept { *this = HeadParser{}; }
    /// Begins at the field lines of a head whose first line, of `size` bytes, was read elsewhere.
    void begin_fields(std::uint32_t size) noexcept {
        position_ = mark_ = line_ = size;
        state_ = State::line;
    }

   private:
    template <typename Runs>
    Result read(std::string_view bytes, HeadIndex& index, const Limits& limits);
    /// A function of its own, so that those with instructions save no registers for it.
    [[gnu::noinline]] Result read_scalar(std::string_view bytes, HeadIndex& index,
                                         const Limits& limits);
    Result read_sse42(std::string_view bytes, HeadIndex& index, const Limits& limits);
    Result read_avx2(std::string_view bytes, HeadIndex& index, const Limits& limits);
    /// Returns nothing at the beginning of a line, which may be a plain line.
    template <typename Runs>
    std::optional<Result> walk(std::string_view bytes, HeadIndex& index, const Limits& limits);
    std::optional<Result> walk_sse42(std::string_view bytes, HeadIndex& index,
                                     const Limits& limits);
    std::optional<Result> walk_avx2(std::string_view bytes, HeadIndex& index, const Limits& limits);
    Result complete(HeadIndex& index, std::size_t size) noexcept;
    void save(const HeadWalk& walk, State state) noexcept;
    Result pause(const HeadWalk& walk, State state) noexcept;
    Result refuse(Fault fault) noexcept;

    std::uint32_t position_ = 0;  // the next byte to read
    std::uint32_t mark_ = 0;      // where the current token began
    std::uint32_t line_ = 0;      // where the current line began
    std::uint32_t name_ = 0;      // the name of the field whose value is being read
    std::uint32_t name_end_ = 0;
    State state_ = State::start;
    Fault fault_ = Fault::none;
};

}  // namespace weir::http
