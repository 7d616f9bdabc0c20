#pragma once

#include <cstdint>

namespace vernier::plugin_runner {

/// Keeps what the plug-in may do by mistake away from everybody else, before it is loaded: address space is
/// limited, no process may be started, none but its own signalled, limited or written to, no descriptor made
/// to send signals. It works for root as for anybody: of root's rights only those over files are left.
/// Against malice it is no protection: files and the network stay open.
/// \param address_space in bytes, beyond what Vernier maps \returns false if the kernel refuses
bool confine(std::uint64_t address_space);

/// Lets the process map so many bytes more, for memory that is Vernier's.
void extend_address_space(std::uint64_t bytes);

}  // namespace vernier::plugin_runner
