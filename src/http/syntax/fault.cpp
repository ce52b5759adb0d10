#include "http/syntax/fault.h"

#include <array>
#include <cstddef>

namespace weir::http {
namespace {

constexpr Status bad = Status::bad_request;
constexpr Status fields_too_large = Status::request_header_fields_too_large;

// One row for each fault, in the order of the enumeration.
constexpr auto answers = std::to_array<FaultAnswer>({
    {Fault::none, Status::ok, "Nothing is wrong", ""},

    {Fault::malformed_request_line, bad, "The request line is malformed", "RFC 9112 3"},
    {Fault::method_too_long, Status::not_implemented, "The method is too long", "RFC 9112 3"},
    {Fault::request_line_too_long, Status::uri_too_long, "The request line is too long",
     "RFC 9112 3"},
    {Fault::malformed_target, bad, "The request target is malformed", "RFC 9112 3.2"},
    {Fault::unsupported_version, Status::http_version_not_supported,
     "This server speaks HTTP/1.1 and HTTP/1.0", "RFC 9110 15.6.6"},

    {Fault::malformed_field_name, bad, "A field name is malformed", "RFC 9110 5.1"},
    {Fault::white_space_before_colon, bad,
     "There is white space between a field name and its colon", "RFC 9112 5.1"},
    {Fault::malformed_field_value, bad, "A field value contains a control character",
     "RFC 9110 5.5"},
    {Fault::obsolete_line_folding, bad, "A field line starts with white space", "RFC 9112 5.2"},
    {Fault::bare_cr_or_lf, bad, "A line does not end in CR LF", "RFC 9112 2.2"},
    {Fault::field_line_too_long, fields_too_large, "A field line is too long", ""},
    {Fault::head_too_long, fields_too_large, "The header section is too long", ""},
    {Fault::too_many_fields, fields_too_large, "There are too many field lines", ""},

    {Fault::missing_host, bad, "The Host field is missing", "RFC 9112 3.2"},
    {Fault::duplicate_host, bad, "There is more than one Host field", "RFC 9112 3.2"},
    {Fault::malformed_host, bad, "The Host field is malformed", "RFC 9112 3.2"},
    {Fault::malformed_content_length, bad, "The Content-Length field is malformed", "RFC 9112 6.3"},
    {Fault::conflicting_content_length, bad, "There is more than one Content-Length",
     "RFC 9112 6.3"},
    {Fault::content_length_with_transfer_encoding, bad,
     "A request must not have both Content-Length and Transfer-Encoding", "RFC 9112 6.1"},
    {Fault::malformed_transfer_encoding, bad, "The Transfer-Encoding field is malformed",
     "RFC 9112 6.3"},
    {Fault::unknown_transfer_coding, Status::not_implemented,
     "This server supports only the transfer coding chunked", "RFC 9112 6.1"},
    {Fault::transfer_encoding_in_http_1_0, bad, "HTTP/1.0 has no Transfer-Encoding",
     "RFC 9112 6.1"},
    {Fault::unknown_expectation, Status::expectation_failed,
     "This server supports only the expectation 100-continue", "RFC 9110 10.1.1"},

    {Fault::content_too_long, Status::content_too_large, "The content is too long", ""},
    {Fault::malformed_chunk_size, bad, "The size line of a chunk is malformed", "RFC 9112 7.1"},
    {Fault::chunk_line_too_long, bad, "The size line of a chunk is too long", "RFC 9112 7.1.1"},
    {Fault::chunk_extensions_too_long, bad, "There are too many chunk extensions",
     "RFC 9112 7.1.1"},
    {Fault::malformed_chunk_end, bad, "Chunk data is not followed by CR LF", "RFC 9112 7.1"},
    {Fault::malformed_trailer, bad, "The trailer section is malformed", "RFC 9112 7.1.2"},
    {Fault::trailers_too_long, fields_too_large, "The trailer section is too long", ""},

    {Fault::overloaded, Status::service_unavailable, "The server has no room for more connections",
     "RFC 9110 15.6.4"},

    {Fault::head_too_slow, Status::request_timeout, "The request took too long to arrive", ""},
    {Fault::content_too_slow, Status::request_timeout, "The content took too long to arrive", ""},
    {Fault::handler_too_slow, Status::service_unavailable, "The server took too long to answer",
     ""},
});

constexpr bool stand_in_order() {
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (static_cast<std::size_t>(answers[i].fault) != i) return false;
    return true;
}
static_assert(stand_in_order());
static_assert(answers.size() == static_cast<std::size_t>(Fault::handler_too_slow) + 1,
              "every fault has its answer");

}  // namespace

const FaultAnswer& answer_to(Fault fault) noexcept {
    return answers[static_cast<std::size_t>(fault)];
}

}  // namespace weir::http
