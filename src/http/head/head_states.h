#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "http/syntax/byte_class.h"
#include "http/syntax/fault.h"

namespace weir::http {

// clang-format off
/// The place of the next byte in a message. One machine reads the head, the chunked coding and the
/// trailer section, which has the states of the head's fields.
enum class State : std::uint8_t {
    // Request line
    start, start_lf, method_first, method, target, path, query, asterisk_form,
    scheme, scheme_colon, scheme_slash, authority_first, authority, authority_form,
    version_h, version_t, version_t2, version_p, version_slash, version_major, version_dot,
    version_minor, request_cr, request_lf, foreign_dot, foreign_minor, foreign_cr, foreign_lf,
    // Field lines
    line, field_name, before_value, field_value, field_lf, last_lf,
    // Chunks
    size_first, size, before_extension, extension_first, extension_name, after_extension_name,
    extension_equals, extension_value, extension_quoted, extension_escape, extension_end, size_lf,
    data, data_cr, data_lf,
    // Ends
    complete, refused,
    count,
};

/// The work at a transition. head_parser.cpp, head_walk.h and chunked_decoder.cpp do it.
enum class Action : std::uint8_t {
    none, stop,
    // The head
    begin_name, end_name, begin_value, end_value, empty_value, end_head,
    // The request line
    begin_method, end_method, begin_origin, begin_asterisk, begin_scheme, begin_authority_form,
    end_scheme, begin_authority, begin_path, begin_query, begin_absolute_query, end_path, end_query,
    end_asterisk, end_absolute, end_authority_form, minor_version,
    // Chunks
    size_digit, begin_data,
};
// clang-format on

struct Row {
    State from;
    ByteSet on;
    State to;
    Action action = Action::none;
    Fault fault = Fault::none;
};

/// A row for bytes that have a fault of their own. Other bytes without a row get the fault of
/// otherwise(), below.
constexpr Row refuse(State from, ByteSet on, Fault fault) {
    return {from, on, State::refused, Action::stop, fault};
}

// clang-format off
// The machine. docs/http-states.svg is drawn from these rows.
inline constexpr auto rows = [] {
    using enum State;
    using enum Action;
    using namespace bytes;
    return std::to_array<Row>({
        // RFC 9112 2.2: the server ignores one empty line before the request line.
        {start,            cr,               start_lf},
        {start,            token,            method,           begin_method},
        {start_lf,         lf,               method_first},
        {method_first,     token,            method,           begin_method},

        // RFC 9112 3: method SP request-target SP HTTP-version CRLF, with single spaces.
        {method,           token,            method},
        {method,           space,            target,           end_method},
        {target,           slash,            path,             begin_origin},
        {target,           asterisk,         asterisk_form,    begin_asterisk},
        {target,           letters,          scheme,           begin_scheme},
        {target,           host - letters - asterisk - colon,
                                             authority_form,   begin_authority_form},
        {path,             path_bytes,     path},
        {path,             question,         query,            begin_query},
        {path,             space,            version_h,        end_path},
        {query,            query_bytes,    query},
        {query,            space,            version_h,        end_query},
        {asterisk_form,    space,            version_h,        end_asterisk},

        // A scheme or a host starts with a letter. The colon and the byte after it decide.
        {scheme,           host - colon - bracket, scheme},
        {scheme,           colon,            scheme_colon},
        {scheme_colon,     slash,            scheme_slash,     end_scheme},
        {scheme_colon,     digits,           authority_form},
        {scheme_slash,     slash,            authority_first},
        {authority_first,  host,             authority,        begin_authority},
        {authority,        host,             authority},
        {authority,        slash,            path,             begin_path},
        {authority,        question,         query,            begin_absolute_query},
        {authority,        space,            version_h,        end_absolute},
        {authority_form,   host,             authority_form},
        {authority_form,   space,            version_h,        end_authority_form},

        // RFC 9112 2.3. Another major version is refused only if the rest of the line is
        // well-formed.
        {version_h,        letter_h,         version_t},
        {version_t,        letter_t,         version_t2},
        {version_t2,       letter_t,         version_p},
        {version_p,        letter_p,         version_slash},
        {version_slash,    slash,            version_major},
        {version_major,    one,              version_dot},
        {version_major,    digit,            foreign_dot},
        {version_dot,      dot,              version_minor},
        {version_minor,    digits,           request_cr,       minor_version},
        {request_cr,       cr,               request_lf},
        {request_lf,       lf,               line},
        {foreign_dot,      dot,              foreign_minor},
        {foreign_minor,    digits,           foreign_cr},
        {foreign_cr,       cr,               foreign_lf},
        refuse(foreign_lf, lf,               Fault::unsupported_version),

        // A request line that ends without a version is HTTP/0.9, or cut.
        refuse(path,             cr | lf,    Fault::malformed_request_line),
        refuse(query,            cr | lf,    Fault::malformed_request_line),
        refuse(asterisk_form,    cr | lf,    Fault::malformed_request_line),
        refuse(scheme,           cr | lf,    Fault::malformed_request_line),
        refuse(authority,        cr | lf,    Fault::malformed_request_line),
        refuse(authority_form,   cr | lf,    Fault::malformed_request_line),
        refuse(request_cr,       lf,         Fault::bare_cr_or_lf),
        refuse(foreign_cr,       lf,         Fault::bare_cr_or_lf),

        // RFC 9112 5: field-name ":" OWS field-value OWS CRLF
        {line,             token,            field_name,       begin_name},
        {line,             cr,               last_lf},
        {field_name,       token,            field_name},
        {field_name,       colon,            before_value,     end_name},
        {before_value,     white,            before_value},
        {before_value,     visible | high,   field_value,      begin_value},
        {before_value,     cr,               field_lf,         empty_value},
        {field_value,      value,            field_value},
        {field_value,      cr,               field_lf,         end_value},
        {field_lf,         lf,               line},
        {last_lf,          lf,               complete,         end_head},

        refuse(line,         white,          Fault::obsolete_line_folding),
        refuse(line,         lf,             Fault::bare_cr_or_lf),
        refuse(field_name,   white,          Fault::white_space_before_colon),
        refuse(before_value, lf,             Fault::bare_cr_or_lf),
        refuse(field_value,  lf,             Fault::bare_cr_or_lf),

        // RFC 9112 7.1: chunk-size [ chunk-ext ] CRLF chunk-data CRLF
        {size_first,       hex,              size,             size_digit},
        {size,             hex,              size,             size_digit},
        {size,             white,            before_extension},
        {size,             semicolon,        extension_first},
        {size,             cr,               size_lf},
        {size_lf,          lf,               data,             begin_data},
        {data,             data_end,         data_cr},
        {data,             no_data,          line},  // the trailer section
        {data_cr,          cr,               data_lf},
        {data_lf,          lf,               size_first},

        // RFC 9112 7.1.1: *( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )
        {before_extension,     white,        before_extension},
        {before_extension,     semicolon,    extension_first},
        {extension_first,      white,        extension_first},
        {extension_first,      token,        extension_name},
        {extension_name,       token,        extension_name},
        {extension_name,       white,        after_extension_name},
        {extension_name,       equals,       extension_equals},
        {extension_name,       semicolon,    extension_first},
        {extension_name,       cr,           size_lf},
        {after_extension_name, white,        after_extension_name},
        {after_extension_name, equals,       extension_equals},
        {after_extension_name, semicolon,    extension_first},
        {extension_equals,     white,        extension_equals},
        {extension_equals,     token,        extension_value},
        {extension_equals,     quote,        extension_quoted},
        {extension_value,      token,        extension_value},
        {extension_value,      white,        before_extension},
        {extension_value,      semicolon,    extension_first},
        {extension_value,      cr,           size_lf},
        {extension_quoted,     quoted,       extension_quoted},
        {extension_quoted,     backslash,    extension_escape},
        {extension_quoted,     quote,        extension_end},
        {extension_escape,     escaped,      extension_quoted},
        {extension_end,        white,        before_extension},
        {extension_end,        semicolon,    extension_first},
        {extension_end,        cr,           size_lf},
    });
}();
// clang-format on

/// The fault of every byte for which a state has no row.
constexpr Fault otherwise(State state) {
    using enum State;
    if (state >= target && state <= authority_form) return Fault::malformed_target;
    if (state == request_lf || state == foreign_lf) return Fault::bare_cr_or_lf;
    if (state < line) return Fault::malformed_request_line;
    if (state == line || state == field_name) return Fault::malformed_field_name;
    if (state == before_value || state == field_value) return Fault::malformed_field_value;
    if (state == field_lf || state == last_lf) return Fault::bare_cr_or_lf;
    if (state == data_cr || state == data_lf) return Fault::malformed_chunk_end;
    return Fault::malformed_chunk_size;
}

/// A cell of the table that the parsers walk, with one look-up for each byte.
struct Transition {
    State to = State::refused;
    Action action = Action::stop;
    Fault fault = Fault::none;
    std::uint8_t unused = 0;  // pads to 4 bytes, so that an index is a shift
};

class Machine {
   public:
    constexpr Machine() {
        for (std::size_t state = 0; state < table_.size(); ++state)
            for (Transition& transition : table_[state])
                transition.fault = otherwise(static_cast<State>(state));
        for (const Row& row : rows) enter(row);
    }
    constexpr const Transition& at(State state, ByteClass on) const noexcept {
        return table_[static_cast<std::size_t>(state)][static_cast<std::size_t>(on)];
    }
    constexpr const Transition& at(State state, char byte) const noexcept {
        return at(state, byte_classes[static_cast<unsigned char>(byte)]);
    }

   private:
    constexpr void enter(const Row& row) {
        for (std::size_t on = 0; on < static_cast<std::size_t>(ByteClass::count); ++on) {
            if (!row.on.has(static_cast<ByteClass>(on))) continue;
            Transition& transition = table_[static_cast<std::size_t>(row.from)][on];
            if (entered_[static_cast<std::size_t>(row.from)].has(static_cast<ByteClass>(on)))
                throw "two rows for one byte in one state";
            transition = {row.to, row.action, row.fault};
        }
        auto& entered = entered_[static_cast<std::size_t>(row.from)];
        entered = entered | row.on;
    }

    static constexpr std::size_t states = static_cast<std::size_t>(State::count);
    std::array<std::array<Transition, 32>, states> table_{};
    std::array<ByteSet, states> entered_{};
};

inline constexpr Machine machine;

/// Returns the state after `text`, without the actions.
constexpr State walked(State state, std::string_view text) {
    for (const char byte : text) state = machine.at(state, byte).to;
    return state;
}

/// True if every byte of `set` leads from `from` to `to`, with that action.
constexpr bool leads(State from, ByteSet set, State to, Action action) {
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (!set.has_byte(byte)) continue;
        const Transition& transition = machine.at(from, byte_classes[byte]);
        if (transition.to != to || transition.action != action) return false;
    }
    return true;
}

}  // namespace weir::http
