#include "tls/openssl/pem_text.h"

#include <openssl/pem.h>

#include <cstddef>

#include "tls/openssl/handles.h"

namespace weir::tls {
namespace {

template <typename Write>
std::string written(Write write) {
    const BioHandle out{BIO_new(BIO_s_mem())};
    if (!out || write(out.get()) != 1) return {};
    char* text = nullptr;
    const long size = BIO_get_mem_data(out.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

}  // namespace

std::string pem_of(const X509& certificate) {
    return written([&](BIO* out) { return PEM_write_bio_X509(out, &certificate); });
}

std::string pem_of(const EVP_PKEY& key) {
    return written([&](BIO* out) {
        return PEM_write_bio_PrivateKey(out, &key, nullptr, nullptr, 0, nullptr, nullptr);
    });
}

}  // namespace weir::tls
