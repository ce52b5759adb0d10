#include "rules/completed.h"

#include <utility>

#include "http/content/changed_later.h"

namespace weir::rules {

http::Reply completed(http::Reply reply, std::shared_ptr<const Completion> completion) {
    return http::changed(std::move(reply),
                         [completion = std::move(completion)](http::Response& response) {
                             completion->complete(response);
                         });
}

}  // namespace weir::rules
