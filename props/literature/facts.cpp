#include "props/literature/facts.hpp"

namespace vernier {

void Facts::add(bool established, const std::string& sentence) {
  auto& text = established ? told_ : failed_;
  text += (text.empty() ? "" : "; ") + sentence;
}

EvidenceResult Facts::conclude(Ruling finding) const {
  if (!failed_.empty()) {
    return {Ruling::undecided, std::string("not so: ") + failed_};
  }
  return {told_.empty() ? Ruling::undecided : finding, told_};
}

}  // namespace vernier
