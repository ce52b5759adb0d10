# The rules for `cmake --install`. Components: runtime (the command and its documents), library (the shared library that
# programs need to run), development (the files that compiling against the library needs).
include(CMakePackageConfigHelpers)

set(weir_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
# --- the library ------------------------------------------------------------------------------------------

# An export file for each library, so that each can be found without the others.
install(TARGETS libweir EXPORT weirStatic ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(TARGETS libweir_shared EXPORT weirShared
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development)
set(kinds Static Shared)
get_property(adapters GLOBAL PROPERTY WEIR_ADAPTERS)
foreach(adapter IN LISTS adapters)
    install(TARGETS libweir_${adapter} EXPORT weir-${adapter} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
    list(APPEND kinds -${adapter})
endforeach()
foreach(kind IN LISTS kinds)
    install(EXPORT weir${kind} NAMESPACE weir:: DESTINATION "${weir_cmake_dir}" COMPONENT development)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/weir" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
    FILES_MATCHING PATTERN "*.h")

configure_package_config_file("${PROJECT_SOURCE_DIR}/packaging/weirConfig.cmake.in" "${PROJECT_BINARY_DIR}/weirConfig.cmake"
    INSTALL_DESTINATION "${weir_cmake_dir}" PATH_VARS CMAKE_INSTALL_LIBDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0, a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weirConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weirConfig.cmake" "${PROJECT_BINARY_DIR}/weirConfigVersion.cmake"
    DESTINATION "${weir_cmake_dir}" COMPONENT development)

# The path is relative to the .pc file, so that --prefix can still move everything.
file(RELATIVE_PATH weir_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" weir_prefix_from_pc "${weir_prefix_from_pc}")
configure_file("${PROJECT_SOURCE_DIR}/packaging/weir.pc.in" "${PROJECT_BINARY_DIR}/weir.pc" @ONLY)
set(pc_files "${PROJECT_BINARY_DIR}/weir.pc")
set(WEIR_REQUIRES_tls "openssl >= 3.0")
set(WEIR_REQUIRES_glog libglog)
set(WEIR_REQUIRES_spdlog spdlog)
foreach(WEIR_ADAPTER IN LISTS adapters)
    set(WEIR_REQUIRES "${WEIR_REQUIRES_${WEIR_ADAPTER}}")
    configure_file("${PROJECT_SOURCE_DIR}/packaging/weir-adapter.pc.in" "${PROJECT_BINARY_DIR}/weir-${WEIR_ADAPTER}.pc" @ONLY)
    list(APPEND pc_files "${PROJECT_BINARY_DIR}/weir-${WEIR_ADAPTER}.pc")
endforeach()
install(FILES ${pc_files} DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

# --- the command ------------------------------------------------------------------------------------------

# weir_install_beside_command(<component> ZSH <directory> PAGES <file>... [EXCLUDE_FROM_ALL]): installs the files that
# belong to the command.
function(weir_install_beside_command component)
    cmake_parse_arguments(PARSE_ARGV 1 beside "" "ZSH" "PAGES")
    set(where COMPONENT ${component} ${beside_UNPARSED_ARGUMENTS})
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/packaging/weir.toml"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" ${where})
    # The unit contains the full path of the command, which is only known during the installation.
    install(CODE "configure_file(\"${PROJECT_SOURCE_DIR}/packaging/weir@.service.in\" \"${PROJECT_BINARY_DIR}/weir@.service\" @ONLY)"
        ${where})
    install(FILES "${PROJECT_BINARY_DIR}/weir@.service" "${PROJECT_SOURCE_DIR}/packaging/weir@.socket" DESTINATION lib/systemd/system ${where})
    if(beside_PAGES)
        install(FILES "${WEIR_SCHEMA}" DESTINATION "${CMAKE_INSTALL_DATADIR}/weir" ${where})
        install(FILES ${beside_PAGES} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" ${where})
        install(FILES "${WEIR_COMPLETIONS}/weir" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" ${where})
        install(FILES "${WEIR_COMPLETIONS}/_weir" DESTINATION "${beside_ZSH}" ${where})
        install(FILES "${WEIR_COMPLETIONS}/weir.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" ${where})
    endif()
endfunction()

if(WEIR_BUILD_CLI)
    include(WeirPages)
    install(TARGETS weir RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime)
    if(NOT WEIR_PACKAGE)  # Debian needs these files in other places
        weir_install_beside_command(runtime ZSH "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" PAGES ${WEIR_PAGES})
    endif()
endif()
