# Debian packages by CPack (weir, libweir with the number of its interface, libweir-dev), and the component `portable`:
# the statically linked command, which runs on any Linux of its architecture, and its documents. `./run package` makes both.

add_executable(weir_static "${PROJECT_SOURCE_DIR}/src/cli/main.cpp")
target_link_libraries(weir_static PRIVATE weir_cli weir_crypt weir_without_libarchive weir_without_qr_code weir_toml)
target_link_options(weir_static PRIVATE -static-pie)
set_target_properties(weir_static PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF WEIR_IS_STATIC ON)
install(PROGRAMS $<TARGET_FILE:weir_static> DESTINATION "${CMAKE_INSTALL_BINDIR}" RENAME weir
    COMPONENT portable EXCLUDE_FROM_ALL)
weir_install_beside_command(portable
    ZSH "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" PAGES ${WEIR_PAGES} EXCLUDE_FROM_ALL)

# The files that the linker has linked, for the SBOM (tools/sbom.py).
foreach(command IN ITEMS weir weir_static)
    target_link_options(${command} PRIVATE "-Wl,--dependency-file=${PROJECT_BINARY_DIR}/${command}.linked")
endforeach()

# --- what Debian requires in each package -------------------------------------------------------------------

find_program(WEIR_GZIP gzip REQUIRED)
set(weir_debian "${PROJECT_SOURCE_DIR}/packaging/debian")
execute_process(COMMAND ${WEIR_GZIP} -9nc "${weir_debian}/changelog" OUTPUT_FILE "${PROJECT_BINARY_DIR}/changelog.Debian.gz"
    COMMAND_ERROR_IS_FATAL ANY)

set(pages "")
foreach(page IN LISTS WEIR_PAGES)
    add_custom_command(OUTPUT "${page}.gz" COMMAND ${WEIR_GZIP} -9nkf "${page}" DEPENDS "${page}" VERBATIM)
    list(APPEND pages "${page}.gz")
endforeach()
add_custom_target(weir_packed_pages ALL DEPENDS ${pages})
weir_install_beside_command(runtime ZSH "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" PAGES ${pages})

foreach(pair IN ITEMS runtime:weir library:libweir${WEIR_INTERFACE} development:libweir-dev)
    string(REPLACE ":" ";" pair "${pair}")
    list(GET pair 0 component)
    list(GET pair 1 package)
    string(TOUPPER ${component} upper)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    install(FILES "${weir_debian}/copyright" "${PROJECT_BINARY_DIR}/changelog.Debian.gz" DESTINATION share/doc/${package}
        COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL runtime library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_SET_DESTDIR ON)  # the unit contains the path after installation
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "weir maintainers <maintainers@weir.example>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package's description begins with a summary of its own
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION httpd)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS libarchive13)  # which serve --archive loads
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${weir_debian}/postinst;${weir_debian}/prerm;${weir_debian}/postrm")
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "HTTP server whose concurrency architecture is a switch
weir serves a folder fast and safely, with no configuration needed. The same
HTTP, files and handlers run under eighteen architectures, from accept and
block to an event loop on each core, so that they can be compared.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${weir_debian}/triggers")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "HTTP server library
weir's HTTP server as a library for programs in C++23: handlers, static files
and the engines that drive them. It needs libc and libstdc++ alone.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libweir${WEIR_INTERFACE} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}), libstdc++-12-dev | libstdc++-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libssl-dev, zlib1g-dev, libdeflate-dev, libbrotli-dev, libzstd-dev, libarchive13, libcmark-gfm-dev, libcmark-gfm-extensions-dev, libexpat1-dev, libgoogle-glog-dev, libspdlog-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "HTTP server library (development files)
This package has the headers of weir's HTTP server library for C++23, the
static library, and the files by which CMake and pkg-config find them.")

include(CPack)
