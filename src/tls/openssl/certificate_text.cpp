#include "tls/openssl/certificate_text.h"

#include <arpa/inet.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstddef>
#include <ctime>
#include <memory>
#include <new>
#include <string_view>

#include "base/hexadecimal.h"
#include "http/syntax/lower_case.h"
#include "tls/openssl/handles.h"

namespace weir::tls {
namespace {

using NamesHandle = std::unique_ptr<GENERAL_NAMES, Release<GENERAL_NAMES_free>>;

std::string_view bytes_of(const ASN1_STRING* text) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
            static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string address_text(std::string_view bytes) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
    if (bytes.size() != 4 && bytes.size() != 16) return {};
    return ::inet_ntop(family, bytes.data(), text.data(), text.size()) ? text.data() : "";
}

}  // namespace

std::vector<std::string> names_of(const X509& certificate) {
    std::vector<std::string> names;
    const NamesHandle found{static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr))};
    for (int i = 0; i < sk_GENERAL_NAME_num(found.get()); ++i) {
        const GENERAL_NAME* const name = sk_GENERAL_NAME_value(found.get(), i);
        if (name->type == GEN_DNS) {
            names.push_back(http::lower_case(bytes_of(name->d.dNSName)));
        } else if (name->type == GEN_IPADD) {
            names.push_back(address_text(bytes_of(name->d.iPAddress)));
        }
    }
    return names;
}

std::string canonical_name(const std::string& name) {
    std::array<char, 16> address;
    if (::inet_pton(AF_INET, name.c_str(), address.data()) == 1)
        return address_text({address.data(), 4});
    if (::inet_pton(AF_INET6, name.c_str(), address.data()) == 1)
        return address_text({address.data(), 16});
    return http::lower_case(name);
}

std::string valid_until(const X509& certificate) {
    std::tm time{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &time) != 1) return "?";
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &time)};
}

std::string fingerprint_of(const X509& certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned size = 0;
    if (X509_digest(&certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
    std::string text;
    for (unsigned i = 0; i < size; ++i) append_hex_byte(text, digest[i]);
    return text;
}

std::string subject_of(const X509& certificate) {
    const BioHandle out{BIO_new(BIO_s_mem())};
    if (!out) throw std::bad_alloc{};
    X509_NAME_print_ex(out.get(), X509_get_subject_name(&certificate), 0, XN_FLAG_RFC2253);
    char* text = nullptr;
    const long size = BIO_get_mem_data(out.get(), &text);
    return {text, static_cast<std::size_t>(size)};
}

}  // namespace weir::tls
