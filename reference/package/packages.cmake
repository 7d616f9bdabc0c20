# Packages, by `make package`: vernier_*.deb with the command, vernier-dev_*.deb with the libraries, and one .tar.gz of the
# command that works wherever it is unpacked.
set(CPACK_PACKAGE_NAME vernier)
set(CPACK_PACKAGE_CONTACT "The Vernier team")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL command development)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME vernier)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS python3)  # vernier-check-certificate
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME vernier-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# What the installed vernierConfig.cmake looks for.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "vernier (= ${PROJECT_VERSION}), libboost-dev, libeigen3-dev, libfmt-dev, libgmp-dev, libmpfi-dev, libmpfr-dev, libprotobuf-dev, libtbb-dev, nlohmann-json3-dev, pkg-config")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "The command, the header of plug-ins, and CMake's function for tests of conformance")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The libraries and their headers")
# The owner gives the licence: a file LICENSE beside README.md, which packages and wheels then hold.
if(EXISTS ${PROJECT_SOURCE_DIR}/LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vernier RENAME copyright)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vernier-dev RENAME copyright
    COMPONENT development)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/reports/manual/SKILL.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/vernier)
include(CPack)
