// Certificates that a CA gives, and what becomes of them.

#include "acme/keep/keeper.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>

#include "acme/folder/lock.h"
#include "base/bytes/base64.h"
#include "keeper_fixture.h"
#include "tls/files/private_file.h"

namespace weir::acme {
namespace {

using KeeperTest = KeeperFixture;

unsigned mode_of(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 0777U;
}

TEST_F(KeeperTest, BeginsWithAPlaceholder) {
    ASSERT_TRUE(certificate());
    EXPECT_TRUE(certificate()->is_placeholder);
    EXPECT_EQ(mode_of(settings.folder), 0700U);
    EXPECT_EQ(mode_of(path()), 0600U);
    EXPECT_EQ(mode_of(account_path(settings.folder)), 0600U);
}

TEST_F(KeeperTest, GetsACertificate) {
    const auto next = look();
    EXPECT_TRUE(has_certificate());
    EXPECT_EQ(mode_of(path()), 0600U);
    EXPECT_TRUE(
        last_told().starts_with("there is a new certificate for example.org, valid until 2"))
        << last_told();
    EXPECT_EQ(ca.proved, std::vector<std::string>{"http-01"});
    EXPECT_FALSE(has_challenges());
    EXPECT_EQ(ca.order.at("identifiers"), Json({{{"type", "dns"}, {"value", "example.org"}}}));
    EXPECT_FALSE(ca.order.contains("replaces"));
    EXPECT_EQ(ca.account.at("termsOfServiceAgreed"), true);
    EXPECT_FALSE(ca.account.contains("contact"));
    EXPECT_GT(next, 0);
    EXPECT_LE(next, hour);
}

TEST_F(KeeperTest, ACertificateThatIsGoodStays) {
    look();
    const auto asked = ca.requests.size();
    look();
    EXPECT_EQ(ca.requests.size(), asked);
    begin();
    look();
    EXPECT_EQ(ca.proved.size(), 1U);
    EXPECT_EQ(ca.accounts(), 1U);
}

TEST_F(KeeperTest, ARejectedNonceIsNoFailure) {
    ca.rejects_nonces = 15;
    look();
    EXPECT_TRUE(has_certificate()) << last_told();
}

TEST_F(KeeperTest, ACaThatRejectsAllNoncesFails) {
    ca.rejects_nonces = 1'000;
    look();
    EXPECT_EQ(last_told(),
              "failure: no new certificate for example.org: the CA says: rejected; the next try is "
              "in 1 min");
    EXPECT_FALSE(has_certificate());
}

TEST_F(KeeperTest, WaitsForASlowCa) {
    ca.is_under_way = 5;
    look();
    EXPECT_TRUE(has_certificate()) << last_told();
}

TEST_F(KeeperTest, WaitsForNoCaForEver) {
    ca.is_under_way = 1'000'000;
    look();
    EXPECT_TRUE(last_told().contains("the CA has not decided in 5 minutes")) << last_told();
    EXPECT_FALSE(has_challenges());
}

TEST_F(KeeperTest, AsksForLessThanItIsTold) {
    ca.is_under_way = 1;
    ca.retry_after = "999999999";
    look();
    EXPECT_TRUE(has_certificate()) << last_told();
}

TEST_F(KeeperTest, TriesTheOtherChallengeNextTime) {
    ca.disbelieves =
        Json{{"type", "urn:ietf:params:acme:error:connection"}, {"detail", "1.2.3.4: refused"}};
    EXPECT_EQ(look(), 60);
    EXPECT_EQ(last_told(),
              "failure: no new certificate for example.org: the CA can't connect to this machine: "
              "ports 80 and 443 must be open, and lead to this server (1.2.3.4: refused); the next "
              "try is in 1 min");
    EXPECT_FALSE(has_challenges());
    now += 59;
    look();
    EXPECT_EQ(ca.proved.size(), 1U);
    now += 1;
    EXPECT_EQ(look(), 300);
    EXPECT_EQ(ca.proved, (std::vector<std::string>{"http-01", "tls-alpn-01"}));
    ca.disbelieves.reset();
    now += 300;
    look();
    EXPECT_EQ(ca.proved.back(), "http-01");
    EXPECT_TRUE(has_certificate());
}

TEST_F(KeeperTest, WithoutPort80TheChallengeOfTlsComesFirst) {
    settings.answers_http = false;
    begin();
    look();
    EXPECT_EQ(ca.proved, std::vector<std::string>{"tls-alpn-01"});
    EXPECT_TRUE(has_certificate()) << last_told();
    EXPECT_FALSE(has_challenges());
}

TEST_F(KeeperTest, TakesTheChallengeThatIsOffered) {
    ca.offers = {"dns-01", "tls-alpn-01"};
    look();
    EXPECT_EQ(ca.proved, std::vector<std::string>{"tls-alpn-01"});
    EXPECT_TRUE(has_certificate());
}

TEST_F(KeeperTest, OtherChallengesAreAFailure) {
    ca.offers = {"dns-01"};
    look();
    EXPECT_TRUE(last_told().contains("the CA offers neither http-01 nor tls-alpn-01"));
}

TEST_F(KeeperTest, ATokenIsNoPath) {
    for (const std::string& token : std::initializer_list<std::string>{
             "../../evil", "", "a/b", "a.pem", std::string(201, 'a')}) {
        ca.token = token;
        now += day;
        look();
        EXPECT_TRUE(last_told().contains("the CA has sent a token that is none")) << last_told();
    }
    EXPECT_FALSE(std::filesystem::exists(folder + "/evil"));
    EXPECT_FALSE(has_challenges());
}

TEST_F(KeeperTest, MakesItsAccountAgain) {
    look();
    ca.forget_accounts();
    now += 61 * day;
    look();
    EXPECT_EQ(ca.accounts(), 1U);
    EXPECT_EQ(ca.account.at("termsOfServiceAgreed"), true);
    EXPECT_EQ(told.size(), 2U);
}

TEST_F(KeeperTest, AnAccountHasAnAddress) {
    settings.applicant.email = "ada@example.org";
    begin();
    look();
    EXPECT_EQ(ca.account.at("contact"), Json::array({"mailto:ada@example.org"}));
}

TEST_F(KeeperTest, BindsAnExternalAccount) {
    ca.wants_external = true;
    ca.external_key = "secret";
    look();
    EXPECT_TRUE(last_told().contains("--acme-eab")) << last_told();
    EXPECT_EQ(ca.accounts(), 0U);
    settings.applicant.external = ExternalAccount{"key-1", "secret"};
    begin();
    look();
    EXPECT_TRUE(has_certificate()) << last_told();
}

std::string failure_of(const std::string& sentence) {
    return "failure: no new certificate for example.org: " + sentence +
           "; the next try is in 1 min";
}

TEST_F(KeeperTest, NamesTheKeyThatTheCaDoesNotAccept) {
    settings.applicant.external = ExternalAccount{"key-1", "wrong"};
    for (const char* const kind :
         {"unauthorized", "externalAccountRequired", "malformed", "badSignatureAlgorithm"}) {
        ca.refuses_account = kind;
        begin();
        look();
        EXPECT_EQ(last_told(), failure_of("the CA does not accept the key of --acme-eab (no)"));
    }
    ca.refuses_account = "invalidContact";
    begin();
    look();
    EXPECT_EQ(last_told(), failure_of("the CA does not accept the address of --acme-email (no)"));
}

TEST_F(KeeperTest, RefusalOfAnAccountOrAnOrderIsNotAboutTheHost) {
    ca.refuses_account = "unauthorized";
    look();
    EXPECT_EQ(last_told(), failure_of("the CA says: no"));
    ca.refuses_account.clear();
    ca.refuses = Json{{"type", "urn:ietf:params:acme:error:unauthorized"}, {"detail", "blocked"}};
    begin();
    look();
    EXPECT_EQ(last_told(), failure_of("the CA says: blocked"));
}

TEST_F(KeeperTest, ObeysALimitOfTheCa) {
    ca.refuses = Json{{"type", "urn:ietf:params:acme:error:rateLimited"},
                      {"detail", "too many certificates\nof example.org"}};
    ca.retry_after = "7200";
    EXPECT_EQ(look(), hour);
    EXPECT_EQ(last_told(),
              "failure: no new certificate for example.org: a limit of the CA is reached (too many "
              "certificates of example.org); the next try is in 120 min");
    ca.refuses.reset();
    ca.retry_after.clear();
    now += 7'199;
    look();
    EXPECT_FALSE(has_certificate());
    now += 1;
    look();
    EXPECT_TRUE(has_certificate());
}

TEST_F(KeeperTest, RenewsAfterTwoThirdsOfTheLife) {
    ca.knows_renewal = false;
    look();
    const auto before = certificate()->from;
    now += 59 * day;
    look();
    EXPECT_EQ(ca.proved.size(), 1U);
    now += day + hour;
    look();
    EXPECT_EQ(ca.proved.size(), 2U);
    EXPECT_EQ(told.size(), 2U);
    EXPECT_GE(certificate()->from, before);
}

TEST_F(KeeperTest, RenewsWhenTheCaWantsIt) {
    ca.renewal = Json{
        {"suggestedWindow", {{"start", "2020-01-01T00:00:00Z"}, {"end", "2020-01-02T00:00:00Z"}}}};
    look();
    const std::string id = certificate()->id;
    EXPECT_EQ(id, base64url_encoded("key!") + "." +
                      base64url_encoded(std::string{"\0\x80\1\2\3\4\5\6\7", 9}));
    EXPECT_EQ(ca.proved.size(), 1U);
    now += hour;
    look();
    EXPECT_EQ(ca.proved.size(), 2U);
    EXPECT_EQ(ca.order.at("replaces"), id);
    EXPECT_TRUE(std::ranges::find(ca.requests, "renewal " + id) != ca.requests.end());
}

TEST_F(KeeperTest, OrdersWithoutASuccessionThatTheCaRefuses) {
    ca.renewal = Json{
        {"suggestedWindow", {{"start", "2020-01-01T00:00:00Z"}, {"end", "2020-01-02T00:00:00Z"}}}};
    ca.refuses_replacing = "alreadyReplaced";
    look();
    now += hour;
    look();
    EXPECT_EQ(ca.proved.size(), 2U);
    EXPECT_FALSE(ca.order.contains("replaces"));
}

TEST_F(KeeperTest, AsksForTheWindowOnceInAWhile) {
    ca.renewal = Json{
        {"suggestedWindow", {{"start", "2090-01-01T00:00:00Z"}, {"end", "2090-01-02T00:00:00Z"}}}};
    look();
    now += hour;
    look();
    const auto asked = ca.requests.size();
    now += 5 * hour;
    look();
    EXPECT_EQ(ca.requests.size(), asked);
    now += hour;
    look();
    EXPECT_EQ(ca.requests.size(), asked + 1);
}

TEST_F(KeeperTest, ACaThatDoesNotAnswerIsNoFailureBeforeItIsTime) {
    look();
    now += hour;
    web::Client elsewhere{{.unix_socket = folder + "/none"}};
    web::Probe alone{router};
    keeper.emplace(settings, elsewhere,
                   [this](bool, std::string_view sentence) { told.emplace_back(sentence); });
    EXPECT_EQ(alone.get("/").status, 200U);
    EXPECT_EQ(told.size(), 1U);
    now += 61 * day;
    EXPECT_EQ(alone.get("/").status, 200U);
    EXPECT_EQ(told.size(), 2U);
    EXPECT_TRUE(last_told().contains("there is no connection"));
}

TEST_F(KeeperTest, AWindowIsForOneCertificate) {
    ca.renewal = Json{
        {"suggestedWindow", {{"start", "2020-01-01T00:00:00Z"}, {"end", "2020-01-02T00:00:00Z"}}}};
    look();
    now += hour;
    look();
    EXPECT_EQ(ca.proved.size(), 2U);
    ca.renewal = Json{};
    now += hour;
    look();
    EXPECT_EQ(ca.proved.size(), 2U);
}

TEST_F(KeeperTest, AWrongFileOfCasIsNamed) {
    settings.ca = folder + "/none.pem";
    const auto prepared = prepare(settings);
    ASSERT_FALSE(prepared);
    EXPECT_TRUE(prepared.error().contains(settings.ca)) << prepared.error();
}

TEST_F(KeeperTest, ASlowCaDelaysNoStart) {
    const net::UniqueFd held = lock(settings.folder);
    EXPECT_TRUE(prepare(settings));
}

TEST_F(KeeperTest, AnotherMachineMayBeFirst) {
    look();
    const auto asked = ca.requests.size();
    begin();  // one that shares the folder
    look();
    EXPECT_EQ(told.size(), 1U);
    EXPECT_EQ(ca.proved.size(), 1U);
    EXPECT_EQ(ca.requests.size(), asked + 1);  // for the renewal information
}

TEST_F(KeeperTest, KeepsTheOldCertificateUntilTheNewOneIsGood) {
    look();
    const auto before = certificate();
    now += 61 * day;
    ca.certifies = "example.com";
    look();
    EXPECT_TRUE(last_told().contains("the CA has sent a certificate of another name"));
    ca.gives = "no certificate";
    now += day;
    look();
    EXPECT_TRUE(last_told().contains("the CA has sent no certificate"));
    std::ifstream file{path()};
    ca.gives = {std::istreambuf_iterator<char>{file}, {}};
    now += day;
    look();
    EXPECT_TRUE(last_told().contains("the CA has sent a certificate of another key"));
    EXPECT_EQ(certificate()->until, before->until);
}

TEST_F(KeeperTest, FollowsNoUrlOfAnotherScheme) {
    ca.scheme = "ftp";
    look();
    EXPECT_TRUE(last_told().contains("the CA names a URL that is none of http")) << last_told();
}

TEST_F(KeeperTest, ADirectoryMustBeOne) {
    settings.directory = "http://ca/nonce";
    begin();
    look();
    EXPECT_TRUE(last_told().contains("http://ca/nonce is no directory of ACME")) << last_told();
    settings.directory = "http://ca/nowhere";
    begin();
    look();
    EXPECT_TRUE(last_told().contains("the CA says: status 404")) << last_told();
}

TEST_F(KeeperTest, ACaThatIsNotThereIsAFailure) {
    web::Client elsewhere{{.unix_socket = folder + "/none"}};
    web::Probe alone{router};
    keeper.emplace(settings, elsewhere,
                   [this](bool, std::string_view sentence) { told.emplace_back(sentence); });
    EXPECT_EQ(alone.get("/").status, 200U);
    EXPECT_TRUE(
        last_told().contains("the CA at http://ca/directory can't be asked: there is no "
                             "connection"))
        << last_told();
}

TEST_F(KeeperTest, EachHostIsOnItsOwn) {
    settings.hosts = {"a.example.org", "b.example.org"};
    begin();
    look();
    EXPECT_EQ(told.size(), 2U);
    for (const std::string& host : settings.hosts)
        EXPECT_FALSE(
            read_certificate(certificate_path(settings.folder, host), host)->is_placeholder);
}

TEST_F(KeeperTest, AKeyThatIsNoneIsRefused) {
    ASSERT_TRUE(tls::write_private(account_path(settings.folder), "rubbish"));
    const auto prepared = prepare(settings);
    ASSERT_FALSE(prepared);
    EXPECT_EQ(prepared.error(), account_path(settings.folder) +
                                    " has no key of ECDSA P-256; remove it to get another");
}

TEST_F(KeeperTest, ADamagedCertificateIsReplaced) {
    look();
    ASSERT_TRUE(tls::write_private(path(), "rubbish"));
    begin();
    EXPECT_TRUE(certificate()->is_placeholder);
    now += hour;
    look();
    EXPECT_TRUE(has_certificate()) << last_told();
}

TEST_F(KeeperTest, AFolderThatCannotBeMadeIsNamed) {
    settings.folder = "/proc/acme";
    const auto prepared = prepare(settings);
    ASSERT_FALSE(prepared);
    EXPECT_TRUE(prepared.error().starts_with("cannot make /proc/acme: ")) << prepared.error();
}

}  // namespace
}  // namespace weir::acme
