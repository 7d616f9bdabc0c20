# What the HTML reports are made of, built and embedded:
#   vernier_web_assets          object library with the script, the style sheet, the manual and the templates;
#                               reports/html/assets.hpp reads them
#   vernier_add_html_check()    the ctest checks of a folder of pages
# Sources are copied into the build folder and built there: nothing is written into the source tree.

find_program(VERNIER_NODE NAMES node nodejs REQUIRED DOC "Node.js 18 or later, builds the script of the reports")
find_program(VERNIER_NPM NAMES npm REQUIRED DOC "npm, installs what the script is built with")

set(vernier_web_source ${CMAKE_CURRENT_LIST_DIR}/web)
set(vernier_web_stage ${CMAKE_CURRENT_BINARY_DIR}/web)
set(vernier_web_output ${CMAKE_CURRENT_BINARY_DIR}/web_assets)

# npm ci, again only when the list of packages changes.
set(vernier_npm_inputs package.json package-lock.json .npmrc)
list(TRANSFORM vernier_npm_inputs PREPEND ${vernier_web_source}/)
set(vernier_npm_stamp ${vernier_web_stage}/npm.stamp)
add_custom_command(
  OUTPUT ${vernier_npm_stamp}
  DEPENDS ${vernier_npm_inputs}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${vernier_web_stage}
  COMMAND ${CMAKE_COMMAND} -E copy ${vernier_npm_inputs} ${vernier_web_stage}
  COMMAND ${CMAKE_COMMAND} -E chdir ${vernier_web_stage}
          ${VERNIER_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${vernier_npm_stamp}
  COMMENT "Installing the packages the reports are built with"
  VERBATIM)

# The scripts, the style sheet and their hashes.
file(GLOB vernier_web_scripts CONFIGURE_DEPENDS ${vernier_web_source}/*.mjs ${vernier_web_source}/*.css)
set(vernier_built_assets charts.js charts.js.sha256 site.js site.js.sha256 style.css style.css.sha256)
list(TRANSFORM vernier_built_assets PREPEND ${vernier_web_output}/ OUTPUT_VARIABLE vernier_built_files)
add_custom_command(
  OUTPUT ${vernier_built_files}
  DEPENDS ${vernier_npm_stamp} ${vernier_web_scripts}
  COMMAND ${CMAKE_COMMAND} -E copy ${vernier_web_scripts} ${vernier_web_stage}
  COMMAND ${CMAKE_COMMAND} -E chdir ${vernier_web_stage} ${VERNIER_NODE} build.mjs ${vernier_web_output}
  COMMENT "Building the script of the reports"
  VERBATIM)

# The manual's pages.
file(GLOB vernier_manual_pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/manual/*.md)
add_custom_command(
  OUTPUT ${vernier_web_output}/manual.json ${vernier_web_output}/glossary.json
  DEPENDS ${vernier_npm_stamp} ${vernier_web_source}/manual.mjs ${vernier_manual_pages}
  COMMAND ${CMAKE_COMMAND} -E copy ${vernier_web_source}/manual.mjs ${vernier_web_stage}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${vernier_web_output}
  COMMAND ${VERNIER_NODE} ${vernier_web_stage}/manual.mjs ${CMAKE_CURRENT_LIST_DIR}/manual ${vernier_web_output}
  COMMENT "Building the pages of the manual"
  VERBATIM)

# assets.cpp: one .incbin for each file, found by the assembler's include path so that no path is compiled in.
file(GLOB vernier_templates CONFIGURE_DEPENDS RELATIVE ${vernier_web_source}/templates
  ${vernier_web_source}/templates/*.mustache)
set(vernier_asset_names ${vernier_built_assets} atlas.json glossary.json manual.json ${vernier_templates})
list(SORT vernier_asset_names)
set(vernier_asset_bytes "")
set(vernier_asset_symbols "")
set(vernier_asset_names_code "")
set(vernier_asset_entries "")
set(vernier_asset_index 0)
foreach(name IN LISTS vernier_asset_names)
  set(symbol vernier_asset_${vernier_asset_index})
  string(APPEND vernier_asset_bytes
    "    .global ${symbol}\n    .hidden ${symbol}\n    ${symbol}: .incbin \"${name}\"\n"
    "    .global ${symbol}_end\n    .hidden ${symbol}_end\n    ${symbol}_end: .byte 0\n")
  string(APPEND vernier_asset_symbols "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
  string(APPEND vernier_asset_names_code "    \"${name}\",\n")
  string(APPEND vernier_asset_entries "    between(${symbol}, ${symbol}_end),\n")
  math(EXPR vernier_asset_index "${vernier_asset_index} + 1")
endforeach()
configure_file(${vernier_web_source}/assets.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/assets.cpp @ONLY)

list(TRANSFORM vernier_templates PREPEND ${vernier_web_source}/templates/)
set(vernier_atlas ${CMAKE_CURRENT_LIST_DIR}/exchange/atlas)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/assets.cpp PROPERTIES
  OBJECT_DEPENDS "${vernier_built_files};${vernier_web_output}/glossary.json;${vernier_web_output}/manual.json;${vernier_templates};${vernier_atlas}/atlas.json"
  COMPILE_OPTIONS "-Wa,-I${vernier_web_output};-Wa,-I${vernier_web_source}/templates;-Wa,-I${vernier_atlas}")
add_library(vernier_web_assets OBJECT ${CMAKE_CURRENT_BINARY_DIR}/assets.cpp)
target_include_directories(vernier_web_assets PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(vernier_web_assets PRIVATE $<TARGET_NAME_IF_EXISTS:vernier_options>)
target_compile_features(vernier_web_assets PRIVATE cxx_std_20)
# The bytes are defined by the assembler, which link-time optimisation does not see.
set_target_properties(vernier_web_assets PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)

# The checks live among the tests and run beside node_modules, where they find their packages.
set(vernier_web_checks browser_check.mjs documents_check.mjs html_check.mjs junit_structure.mjs outputs_check.mjs points_check.mjs
  points_faults.mjs readme_pictures.mjs schemas.mjs try_point_check.mjs web_pages.mjs)
set(vernier_web_staged_checks ${vernier_web_checks})
list(TRANSFORM vernier_web_checks PREPEND ${CMAKE_CURRENT_LIST_DIR}/test/)
list(TRANSFORM vernier_web_staged_checks PREPEND ${vernier_web_stage}/)
add_custom_command(
  OUTPUT ${vernier_web_staged_checks}
  DEPENDS ${vernier_npm_stamp} ${vernier_web_checks}
  COMMAND ${CMAKE_COMMAND} -E copy ${vernier_web_checks} ${vernier_web_stage}
  VERBATIM)
add_custom_target(vernier_web_checks ALL DEPENDS ${vernier_web_staged_checks})

# vernier_add_html_check(NAME name DIRECTORY folder [FIXTURE fixture]): the test `name.html` (every page is valid, is reached,
# loads nothing from elsewhere and names the hashes of what it contains) for the pages in `folder`. It runs after the test that
# sets up `fixture`, by default the one whose FIXTURES_SETUP is `name`.
function(vernier_add_html_check)
  cmake_parse_arguments(PARSE_ARGV 0 check "" "NAME;DIRECTORY;FIXTURE" "")
  if(NOT check_FIXTURE)
    set(check_FIXTURE ${check_NAME})
  endif()
  add_test(NAME ${check_NAME}.html COMMAND ${VERNIER_NODE} ${vernier_web_stage}/html_check.mjs ${check_DIRECTORY})
  set_tests_properties(${check_NAME}.html PROPERTIES FIXTURES_REQUIRED ${check_FIXTURE})
endfunction()
