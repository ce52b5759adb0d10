#pragma once

#include <string>
#include <string_view>

#include "http/passing_on.h"
#include "http/workspace.h"

namespace weir::http {

/// A connection whose first bytes choose its protocol: HTTP/2 where they are its preface, which is no
/// request of HTTP/1.1 (RFC 9113 3.3 and 3.4), else HTTP/1.1. Afterwards it passes everything on.
class PriorKnowledge final : public PassingOn {
   public:
    PriorKnowledge(Workspace& workspace, Origin& origin, Now now);

   private:
    void do_receive(std::string_view bytes, Now now) override;
    void do_retire(Now now) override;

    // `inner_` is HTTP/1.1 until the preface is whole.
    Workspace& workspace_;
    Origin& origin_;
    std::string preface_;  // what has come of it, where that is not all
    bool is_chosen_ = false;
    bool is_retired_ = false;
};

}  // namespace weir::http
