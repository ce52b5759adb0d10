#include "tls/openssl/staple.h"

#include <openssl/ocsp.h>

#include <memory>

#include "tls/files/read_whole.h"
#include "tls/openssl/handles.h"
#include "tls/openssl/validity.h"

namespace weir::tls {
namespace {

using ResponseHandle = std::unique_ptr<OCSP_RESPONSE, Release<OCSP_RESPONSE_free>>;
using BasicHandle = std::unique_ptr<OCSP_BASICRESP, Release<OCSP_BASICRESP_free>>;

std::vector<unsigned char> in_der(const ASN1_INTEGER* number) {
    unsigned char* bytes = nullptr;
    const int size = i2d_ASN1_INTEGER(number, &bytes);
    std::vector<unsigned char> out;
    if (size > 0) out.assign(bytes, bytes + size);
    OPENSSL_free(bytes);
    return out;
}

}  // namespace

std::expected<Staple, std::string> Staple::read(const std::string& path) {
    const auto bytes = read_whole(path);
    if (!bytes) return std::unexpected{bytes.error()};
    Staple staple;
    staple.bytes_.assign(bytes->begin(), bytes->end());
    const unsigned char* at = staple.bytes_.data();
    const ResponseHandle response{
        d2i_OCSP_RESPONSE(nullptr, &at, static_cast<long>(staple.bytes_.size()))};
    const BasicHandle basic{response ? OCSP_response_get1_basic(response.get()) : nullptr};
    OCSP_SINGLERESP* const single = basic ? OCSP_resp_get0(basic.get(), 0) : nullptr;
    if (!single) return std::unexpected{path + " has no OCSP response in DER"};
    ASN1_INTEGER* serial = nullptr;
    OCSP_id_get0_info(nullptr, nullptr, nullptr, &serial,
                      const_cast<OCSP_CERTID*>(OCSP_SINGLERESP_get0_id(single)));
    staple.serial_ = in_der(serial);
    ASN1_GENERALIZEDTIME* next_update = nullptr;
    OCSP_single_get0_status(single, nullptr, nullptr, nullptr, &next_update);
    if (next_update) staple.valid_until_ = unix_seconds_of(*next_update);
    return staple;
}

bool Staple::is_for(const X509& certificate) const noexcept {
    const unsigned char* at = serial_.data();
    ASN1_INTEGER* serial = d2i_ASN1_INTEGER(nullptr, &at, static_cast<long>(serial_.size()));
    const bool is_same =
        serial && ASN1_INTEGER_cmp(serial, X509_get0_serialNumber(&certificate)) == 0;
    ASN1_INTEGER_free(serial);
    return is_same;
}

}  // namespace weir::tls
