#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <expected>
#include <string>

namespace weir::archive {

/// The functions of libarchive that write an archive. The program loads libarchive only if it needs
/// archives. A linked libarchive would be loaded at every start, together with some twenty
/// libraries that it needs, ICU among them.
struct Libarchive {
    decltype(&::archive_write_new) write_new;
    decltype(&::archive_write_free) write_free;
    decltype(&::archive_write_set_format_zip) set_format_zip;
    decltype(&::archive_write_set_format_pax_restricted) set_format_pax_restricted;
    decltype(&::archive_write_add_filter_gzip) add_filter_gzip;
    decltype(&::archive_write_set_options) set_options;
    decltype(&::archive_write_set_bytes_per_block) set_bytes_per_block;
    decltype(&::archive_write_open2) open;
    decltype(&::archive_write_header) write_header;
    decltype(&::archive_write_data) write_data;
    decltype(&::archive_write_close) close;
    decltype(&::archive_entry_new) entry_new;
    decltype(&::archive_entry_free) entry_free;
    decltype(&::archive_entry_clear) entry_clear;
    decltype(&::archive_entry_set_pathname) set_pathname;
    decltype(&::archive_entry_set_filetype) set_filetype;
    decltype(&::archive_entry_set_perm) set_perm;
    decltype(&::archive_entry_set_size) set_size;
    decltype(&::archive_entry_set_mtime) set_mtime;
};

/// The first call loads the library, and must come before a sandbox closes the file system. Any
/// thread may call. The error says why the library is not available.
const std::expected<Libarchive, std::string>& libarchive();

}  // namespace weir::archive
