# portfile.cmake - pt from the tarball of a release: headers and libpt
# SPDX-License-Identifier: MIT
vcpkg_download_distfile(ARCHIVE
  URLS "@DOWNLOADS@/pt-@VERSION@.tar.xz"
  FILENAME "pt-@VERSION@.tar.xz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")
file(REMOVE_RECURSE "${SOURCE_PATH}/tools") # pt-ps and the others: programs of Python, which a port does not have

set(VCPKG_BUILD_TYPE release) # a debug build of C links with it
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DPT_WITH_CARES=OFF -DPT_WITH_LIBURING=OFF
  -DPT_WITH_OPENSSL=OFF -DPT_WITH_LLHTTP=OFF -DPT_WITH_REFERENCE=OFF)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()

# pt-config.cmake finds libpt relative to itself: it stays, and vcpkg's place for it has a file that includes it.
set(VCPKG_POLICY_SKIP_MISPLACED_CMAKE_FILES_CHECK enabled)
file(WRITE "${CURRENT_PACKAGES_DIR}/share/pt/pt-config.cmake"
  "include(\"\${CMAKE_CURRENT_LIST_DIR}/../../lib/cmake/pt/pt-config.cmake\")\n")
file(COPY "${CURRENT_PACKAGES_DIR}/lib/cmake/pt/pt-config-version.cmake"
  DESTINATION "${CURRENT_PACKAGES_DIR}/share/pt")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/pt")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
