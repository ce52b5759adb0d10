#include "tls/openssl/certificate_text.h"

#include <arpa/inet.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ctime>
#include <new>
#include <string_view>

#include "tls/openssl/handles.h"

namespace weir::tls {
namespace {

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
    auto* const found = static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr));
    for (int i = 0; i < sk_GENERAL_NAME_num(found); ++i) {
        const GENERAL_NAME* const name = sk_GENERAL_NAME_value(found, i);
        if (name->type == GEN_DNS) {
            std::string& added = names.emplace_back(bytes_of(name->d.dNSName));
            std::ranges::transform(added, added.begin(), to_lower);
        } else if (name->type == GEN_IPADD) {
            names.push_back(address_text(bytes_of(name->d.iPAddress)));
        }
    }
    GENERAL_NAMES_free(found);
    return names;
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
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += digits[digest[i] >> 4U];
        text += digits[digest[i] & 0xfU];
    }
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
