#include "props/literature/facts.hpp"

namespace vernier {

void Facts::add(bool established, const std::string& sentence) {
  auto& text = established ? told_ : failed_;
  text += (text.empty() ? "" : "; ") + sentence;
}

EvidenceResult Facts::conclude(Finding finding) const {
  if (!failed_.empty()) {
    return {Finding::undecided, std::string("not so: ") + failed_};
  }
  return {told_.empty() ? Finding::undecided : finding, told_};
}

}  // namespace vernier
