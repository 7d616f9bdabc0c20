# What configuration files call things and what each model family's code does, as literals in the library: each file
# stays below the 65535 characters that compilers must accept.
set(vernier_family_files diffusion encoders latent others rope transformers)
set(vernier_family_entries "")
foreach(name IN LISTS vernier_family_files)
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/configs/${name}.json vernier_family_text)
  string(APPEND vernier_family_entries "      {\"${name}.json\", R\"config(${vernier_family_text})config\"},\n")
endforeach()
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/configs/names.json vernier_config_names)
list(TRANSFORM vernier_family_files PREPEND configs/ OUTPUT_VARIABLE vernier_config_files)
list(TRANSFORM vernier_config_files APPEND .json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${vernier_config_files} configs/names.json)
configure_file(configs/embedded_families.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/embedded_families.cpp @ONLY)
