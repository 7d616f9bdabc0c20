#pragma once

#include <memory>
#include <string>
#include <vector>

#include "numerics/artefacts/stored_tensor.hpp"
#include "numerics/formats/zip_archive.hpp"

namespace vernier {

/// Whether an archive is one that torch.save() wrote, from PyTorch 1.6 on.
bool is_torch_archive(const ZipArchive& archive);

/// The tensors of such an archive, by their names in the dictionaries are pickled:
/// "model.rotary.inv_freq". The pickle is read and not executed. \param owner what keeps the archive's bytes
/// where they are \param source what to call the file in errors \throws InputError for a pickle that tells no
/// tensors, with the command that exports them
std::vector<StoredTensor> torch_tensors(const ZipArchive& archive, const std::shared_ptr<const void>& owner,
                                        const std::string& source);

/// The sentence for a file of PyTorch that cannot be read: what was found, and the command that exports it.
std::string torch_export_sentence(const std::string& source, const std::string& found);

/// The tensors of an .npz archive. Compressed ones are listed without their elements.
/// \throws InputError for a member that is no .npy file
std::vector<StoredTensor> npz_tensors(const ZipArchive& archive, const std::shared_ptr<const void>& owner,
                                      const std::string& source);

}  // namespace vernier
