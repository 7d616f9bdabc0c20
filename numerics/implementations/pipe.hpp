#pragma once

#include <string_view>

#include "numerics/formats/descriptor.hpp"

namespace vernier {

/// One way from writer to reader, closed in programs that are started.
struct Pipe {
  Descriptor read;
  Descriptor write;
};

/// Both ends beyond the standard three descriptors. \throws InputError if there is none
Pipe make_pipe();

/// The same descriptor, never one of the standard three, even where those are closed: a child's take their
/// places. \param original -1 if it could not be had, with errno \param what it is, for errors
/// \throws InputError if it could not be had
Descriptor beyond_standard(Descriptor original, std::string_view what);

}  // namespace vernier
