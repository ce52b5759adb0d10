#include "fake_ca.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/x509v3.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"
#include "tls/openssl/pem_text.h"
#include "weir/web/response.h"

namespace weir::acme {
namespace {

using web::Status;

std::string decoded(const std::string& text) {
    auto bytes = base64url_decoded(text);
    if (!bytes) throw std::runtime_error{"not base64url: " + text};
    return *bytes;
}

Json object(const std::string& text) {
    auto parsed = parse_object(text);
    if (!parsed) throw std::runtime_error{"not JSON: " + text};
    return *parsed;
}

/// RFC 7518 6.2: the key of a JWK.
tls::KeyHandle key_of(const Json& jwk) {
    std::string point = "\x04" + decoded(jwk.at("x")) + decoded(jwk.at("y"));
    std::string curve = "prime256v1";
    const std::array parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve.data(), curve.size()),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
        OSSL_PARAM_construct_end()};
    EVP_PKEY* key = nullptr;
    EVP_PKEY_CTX* const context = EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr);
    EVP_PKEY_fromdata_init(context);
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY,
                      const_cast<OSSL_PARAM*>(parameters.data()));
    EVP_PKEY_CTX_free(context);
    return tls::KeyHandle{key};
}

/// RFC 7518 3.4: ES256.
bool is_signed(EVP_PKEY& key, const std::string& text, const std::string& signature) {
    if (signature.size() != 64) return false;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(signature.data());
    const std::unique_ptr<ECDSA_SIG, tls::Release<ECDSA_SIG_free>> both{ECDSA_SIG_new()};
    ECDSA_SIG_set0(both.get(), BN_bin2bn(bytes, 32, nullptr), BN_bin2bn(bytes + 32, 32, nullptr));
    std::vector<unsigned char> der(static_cast<std::size_t>(i2d_ECDSA_SIG(both.get(), nullptr)));
    unsigned char* out = der.data();
    i2d_ECDSA_SIG(both.get(), &out);
    const std::unique_ptr<EVP_MD_CTX, tls::Release<EVP_MD_CTX_free>> context{EVP_MD_CTX_new()};
    EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, &key);
    return EVP_DigestVerify(context.get(), der.data(), der.size(),
                            reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
}

std::string thumbprint(const Json& jwk) {
    return base64url_encoded(
        text_of(sha256(R"({"crv":"P-256","kty":"EC","x":")" + jwk.at("x").get<std::string>() +
                       R"(","y":")" + jwk.at("y").get<std::string>() + R"("})")));
}

std::string file(const std::string& path) {
    std::ifstream in{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

void add_extension(X509& certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
    X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    X509_add_ext(&certificate, made, -1);
    X509_EXTENSION_free(made);
}

}  // namespace

FakeCa::FakeCa(std::string challenges)
    : challenges_{std::move(challenges)}, key_{EVP_EC_gen("P-256")} {
    add_routes();
}

void FakeCa::add_routes() {
    router.get("/directory", [this](const web::Call&) {
        Json directory{{"newNonce", url("/nonce")},
                       {"newAccount", url("/account")},
                       {"newOrder", url("/order")},
                       {"meta", {{"externalAccountRequired", wants_external}}}};
        if (knows_renewal) directory["renewalInfo"] = url("/renewal");
        return json(directory);
    });
    router.get("/nonce", [this](const web::Call&) { return json(Json::object()); });
    router.get("/renewal/{id}", [this](const web::Call& call) {
        requests.push_back("renewal " + std::string{call.parameter("id")});
        return renewal.is_object() ? json(renewal) : problem("malformed", "no such certificate");
    });
    post("/account", "newAccount", [this](const Signed& request) { return enter(request); });
    post("/order", "newOrder", [this](const Signed& request) { return begin(request); });
    post("/authorization", "authorization",
         [this](const Signed&) { return json(authorization()); });
    for (const std::string kind : {"http-01", "tls-alpn-01"})
        post("/challenge/" + kind, kind,
             [this, kind](const Signed& request) { return prove(request, kind); });
    post("/finalize", "finalize", [this](const Signed& request) {
        chain_ = certificate(decoded(request.payload.at("csr")));
        state_ = "valid";
        readings_ = is_under_way;
        return json({{"status", "processing"}});
    });
    post("/order/1", "order", [this](const Signed&) {
        if (proof_ == "invalid") state_ = "invalid";
        if (proof_ == "valid" && state_ == "pending") state_ = "ready";
        return json({{"status", status_of(state_)},
                     {"finalize", url("/finalize")},
                     {"certificate", url("/certificate")}});
    });
    post("/certificate", "certificate", [this](const Signed&) {
        return with_nonce(
            web::content("application/pem-certificate-chain", gives.empty() ? chain_ : gives));
    });
}

template <typename Answer>
void FakeCa::post(const std::string& path, const std::string& name, Answer answer) {
    router.post(path, [this, name, answer](const web::Call& call) {
        requests.push_back(name);
        Signed request;
        try {
            request = checked(call);
        } catch (const std::exception& error) {
            complaints.push_back(name + ": " + error.what());
            throw;
        }
        if (rejects_nonces > 0) {
            --rejects_nonces;
            return problem("badNonce", "rejected");
        }
        return answer(request);
    });
}

FakeCa::Signed FakeCa::checked(const web::Call& call) {
    if (call.field("Content-Type") != "application/jose+json")
        throw std::runtime_error{"another media type"};
    const Json jws = object(std::string{call.content()});
    const std::string header_part = jws.at("protected"), payload_part = jws.at("payload");
    Signed request{.header = object(decoded(header_part)), .payload = {}, .jwk = {}, .account = {}};
    const std::string payload = decoded(payload_part);
    if (!payload.empty()) request.payload = object(payload);
    const Json& header = request.header;
    if (header.at("alg") != "ES256") throw std::runtime_error{"another algorithm"};
    if (header.at("url") != url(std::string{call.request().path()}))
        throw std::runtime_error{"another URL"};
    if (nonces_.erase(header.at("nonce")) == 0) throw std::runtime_error{"an unknown nonce"};
    if (header.contains("jwk") == header.contains("kid"))
        throw std::runtime_error{"one of jwk and kid"};
    if (header.contains("kid")) request.account = text_in(header, "kid").substr(url("/of/").size());
    request.jwk = header.contains("jwk") ? header.at("jwk") : keys_.at(request.account);
    if (!is_signed(*key_of(request.jwk), header_part + '.' + payload_part,
                   decoded(jws.at("signature"))))
        throw std::runtime_error{"a wrong signature"};
    return request;
}

web::Response FakeCa::with_nonce(web::Response response) {
    const std::string nonce = "nonce" + std::to_string(++count_);
    nonces_.insert(nonce);
    response.set("Replay-Nonce", nonce);
    if (!retry_after.empty()) response.set("Retry-After", retry_after);
    return response;
}

web::Response FakeCa::json(const Json& object, Status status) {
    return with_nonce(web::content("application/json", written(object), status));
}

web::Response FakeCa::problem(const std::string& kind, const std::string& detail, Status status) {
    return with_nonce(web::content(
        "application/problem+json",
        written({{"type", "urn:ietf:params:acme:error:" + kind}, {"detail", detail}}), status));
}

void FakeCa::check_external(const Json& binding, const Json& jwk) const {
    const std::string header = binding.at("protected"), payload = binding.at("payload");
    if (object(decoded(payload)) != jwk || object(decoded(header)).at("kid") != "key-1" ||
        decoded(binding.at("signature")) !=
            text_of(hmac_sha256(external_key, header + '.' + payload)))
        throw std::runtime_error{"a wrong binding"};
}

web::Response FakeCa::enter(const Signed& request) {
    account = request.payload;
    const std::string id = thumbprint(request.jwk);
    const bool is_new = !keys_.contains(id);
    if (is_new && account.value("onlyReturnExisting", false))
        return problem("accountDoesNotExist", "unknown");
    if (!refuses_account.empty()) return problem(refuses_account, "no", Status::unauthorized);
    if (wants_external && is_new) check_external(account.at("externalAccountBinding"), request.jwk);
    keys_[id] = request.jwk;
    auto response = json({{"status", "valid"}}, is_new ? Status::created : Status::ok);
    response.set("Location", url("/of/" + id));
    return response;
}

web::Response FakeCa::begin(const Signed& request) {
    order = request.payload;
    if (refuses)
        return with_nonce(
            web::content("application/problem+json", written(*refuses), Status::too_many_requests));
    if (!refuses_replacing.empty() && order.contains("replaces"))
        return problem(refuses_replacing, "replaced", Status::conflict);
    proof_ = state_ = "pending";
    readings_ = 0;
    auto response =
        json({{"status", "pending"}, {"authorizations", {url("/authorization")}}}, Status::created);
    response.set("Location", url("/order/1"));
    return response;
}

std::string FakeCa::status_of(const std::string& decided) {
    if (readings_ == 0) return decided;
    --readings_;
    return "processing";
}

Json FakeCa::authorization() const {
    Json challenges = Json::array();
    for (const std::string& kind : offers) {
        Json challenge{{"type", kind}, {"url", url("/challenge/" + kind)}, {"token", token}};
        if (proof_ == "invalid" && disbelieves) challenge["error"] = *disbelieves;
        challenges.push_back(std::move(challenge));
    }
    return {{"status", proof_}, {"challenges", std::move(challenges)}};
}

web::Response FakeCa::prove(const Signed& request, const std::string& kind) {
    proved.push_back(kind);
    const std::string host = order.at("identifiers").at(0).at("value");
    const bool is_answered =
        kind == "http-01" ? file(challenges_ + "/" + token) == token + '.' + thumbprint(request.jwk)
                          : file(challenges_ + "/" + host + ".pem").contains("BEGIN CERTIFICATE");
    proof_ = is_answered && !disbelieves ? "valid" : "invalid";
    return json({{"status", "processing"}});
}

std::string FakeCa::certificate(const std::string& der) const {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    const std::unique_ptr<X509_REQ, tls::Release<X509_REQ_free>> request{
        d2i_X509_REQ(nullptr, &at, static_cast<long>(der.size()))};
    if (!request || X509_REQ_verify(request.get(), X509_REQ_get0_pubkey(request.get())) != 1)
        throw std::runtime_error{"a wrong request for a certificate"};
    const tls::CertificateHandle made{X509_new()};
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set_uint64(X509_get_serialNumber(made.get()), 0x8001'0203'0405'0607);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), 0);
    X509_time_adj_ex(X509_getm_notAfter(made.get()), days, 0, nullptr);
    X509_set_pubkey(made.get(), X509_REQ_get0_pubkey(request.get()));
    X509_NAME_add_entry_by_txt(X509_get_issuer_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("a CA"), -1, -1, 0);
    const std::string host = order.at("identifiers").at(0).at("value");
    add_extension(*made, NID_subject_alt_name, "DNS:" + (certifies.empty() ? host : certifies));
    const auto id =
        std::unique_ptr<AUTHORITY_KEYID, tls::Release<AUTHORITY_KEYID_free>>{AUTHORITY_KEYID_new()};
    id->keyid = ASN1_OCTET_STRING_new();
    ASN1_OCTET_STRING_set(id->keyid, reinterpret_cast<const unsigned char*>("key!"), 4);
    X509_add1_ext_i2d(made.get(), NID_authority_key_identifier, id.get(), 0, 0);
    X509_sign(made.get(), key_.get(), EVP_sha256());
    return tls::pem_of(*made);
}

}  // namespace weir::acme
