#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/background.h"
#include "support/gate.h"
#include "weir/http/handler.h"
#include "weir/http/response.h"

namespace weir::tests {

/// Called when a source is done.
using Done = std::function<void(http::Outcome)>;

std::string_view to_text(http::Outcome outcome);

/// Gives the pattern, in pieces.
class PatternSource final : public http::Source {
   public:
    struct Options {
        std::uint64_t bytes = 0;
        bool sized = false;
        std::uint64_t pause_every = 0;  // pieces; 0: it never pauses
    };
    PatternSource(Options options, http::Waker waker, Background& background, Done done)
        : options_{options},
          waker_{std::move(waker)},
          background_{background},
          done_{std::move(done)} {}

    Pulled pull(std::span<char> into) override;
    std::optional<std::uint64_t> size() const override;
    void done(http::Outcome outcome) noexcept override { done_(outcome); }

   private:
    bool pauses_now();

    Options options_;
    http::Waker waker_;
    Background& background_;
    Done done_;
    std::uint64_t position_ = 0;
    std::uint64_t pieces_ = 0;
    bool paused_ = false;
};

/// Each pull() gives the next of these; then the source ends.
class ListedSource final : public http::Source {
   public:
    using Piece = std::variant<std::string, http::FileRange, const Gate*, Failed>;

    /// `is_live`: it ends with a peer that leaves.
    ListedSource(std::vector<Piece> pieces, bool is_live, http::Waker waker, Background& background,
                 Done done)
        : pieces_{std::move(pieces)},
          is_live_{is_live},
          waker_{std::move(waker)},
          background_{background},
          done_{std::move(done)} {}

    Pulled pull(std::span<char> into) override;
    bool ends_with_peer() const noexcept override { return is_live_; }
    void done(http::Outcome outcome) noexcept override { done_(outcome); }

   private:
    std::vector<Piece> pieces_;
    bool is_live_;
    http::Waker waker_;
    Background& background_;
    Done done_;
    std::size_t at_ = 0;
    bool waits_ = false;  // for the gate at `at_`
};

}  // namespace weir::tests
