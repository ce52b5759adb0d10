#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace weir::access {

/// The users of an htpasswd file, and the hashes of their passwords.
class Users {
   public:
    static constexpr std::size_t users_max = 10'000;
    static constexpr std::size_t name_bytes_max = 255;

    /// Parses lines of "user:hash"; empty lines and those that begin with # are comments. The error
    /// names the line and its fault; it is one sentence without its full stop, and quotes no hash.
    static std::expected<Users, std::string> parse(std::string_view text);
    /// One "user:hash". The error is as that of parse(), without the line.
    static std::expected<Users, std::string> parse_one(std::string_view line);
    /// Adds those users of `others` whose names are not here.
    void add(const Users& others);

    /// Null if there is no such user.
    const std::string* hash_of(std::string_view user) const noexcept;
    /// The hash of some user, for a name that does not exist: a comparison with it takes as long as
    /// with a real one. `number` chooses the user. Null if there are no users.
    const std::string* any_hash(std::uint64_t number) const noexcept;
    std::size_t size() const noexcept { return users_.size(); }

   private:
    struct User {
        std::string name;
        std::string hash;
        std::size_t line = 0;
    };

    std::vector<User> users_;  // in the order of their names
};

/// True if a character of the text is a control character of ASCII: none may be in a name or a
/// password.
bool has_control(std::string_view text) noexcept;

/// The reason why weir does not accept the hash; empty if it does. It accepts bcrypt ($2a$, $2b$,
/// $2y$), SHA-256-crypt ($5$), SHA-512-crypt ($6$) and yescrypt ($y$).
std::string refuse_hash(std::string_view hash);

}  // namespace weir::access
