#include "upload/faults.h"

#include <cerrno>

#include "site/root/root_directory.h"

namespace weir::upload {

using http::Status;
using web::Refusal;

Refusal refusal_of(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG: return {Status::insufficient_storage, "The server has no room for this file"};
        case EACCES:
        case EPERM:
        case EROFS: return {Status::forbidden, "The server may not write to this folder"};
        case EEXIST: return {Status::conflict, "The folder has a file of this name"};
        case EISDIR:
        case ENOTEMPTY: return {Status::conflict, "This is the name of a folder"};
        case ENAMETOOLONG: return {Status::bad_request, "The name is too long for this folder"};
        case EINVAL:
        case EILSEQ: return {Status::bad_request, "The file system does not take this name"};
        case EMFILE:
        case ENFILE:
        case ENOMEM: return {Status::service_unavailable, "The server is busy; try again later"};
        case ENOENT: return {Status::not_found, "The folder was removed"};
        default: return {Status::internal_server_error, "The server could not write the file"};
    }
}

Refusal refusal_of_folder(int error) {
    if (error == EACCES || error == EPERM) return refusal_of(error);
    if (site::is_fact({error, std::system_category()}))
        return {Status::not_found, "There is no such folder"};
    return refusal_of(error);
}

}  // namespace weir::upload
