#pragma once

#include <memory>
#include <string>

#include "fuzz/plain/site.h"
#include "unit/site/request_fixture.h"
#include "unit/site/temporary_tree.h"
#include "weir/site/site.h"

namespace weir::tests {

/// A small directory tree, sites over it with all combinations of options, and what the plain model
/// needs to know of it.
class KnownSite {
   public:
    static constexpr unsigned choices = 128;

    KnownSite();

    site::Site& site(unsigned choice);
    plain::Options options(unsigned choice) const;
    const plain::Tree& tree(unsigned choice) const {
        return precompressed(choice) ? tree_ : uncompressed_;
    }
    /// Replaces "{3}" by the entity tag of the fourth variant, which nobody can guess.
    std::string with_tags(std::string_view text) const;

   private:
    static bool precompressed(unsigned choice) { return (choice & 32u) != 0; }
    static constexpr std::int64_t written = 784'111'777;  // Sun, 06 Nov 1994 08:49:37 GMT

    void add(const std::string& path, const std::string& content, const char* type,
             std::int64_t modified = written);
    /// Of one file, the last one that is added comes first: gzip, zstd, br.
    void add_variant(const std::string& path, const char* coding, const char* suffix,
                     const std::string& content, const char* type);
    void learn_tags();

    site::TemporaryTree files_;
    plain::Tree tree_, uncompressed_;
    std::vector<std::string> tags_;
    std::unique_ptr<site::Site> sites_[choices];
};

}  // namespace weir::tests
