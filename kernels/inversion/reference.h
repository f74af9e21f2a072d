// The inversion by one thread, written as plainly as possible: what the kernels are compared with.
#pragma once
#include "driver.h"
#include "postings_reference.h"

#include <map>

namespace inversion {

// By term (field, then text): the documents and positions of its tokens, in order.
using Postings = std::map<std::string, std::vector<std::pair<uint32_t, uint32_t>>>;

struct Reference {
  Postings postings;
  std::vector<uint32_t> lengths;
};

// The end of the word that starts at a byte: letters, digits and connectors, and what joins two letters or two digits.
inline Count endOfWord(const uint8_t *text, Count at, Count end) {
  auto kind = [&](Count i) { return i < end ? kindOf(text[i]) : 0; };
  while (at < end) {
    Count here = kind(at), before = kind(at - 1), after = kind(at + 1);
    bool joins = before == after && ((before == LETTER && (here & JOINS_LETTERS) != 0) ||
                                     (before == DIGIT && (here & JOINS_DIGITS) != 0));
    if ((here & (LETTER | DIGIT)) == 0 && !joins) break;
    at++;
  }
  return at;
}

// Passes each word of a part to `take`, as its plain bytes behind room for a field.
template <class Take>
void forEachWord(const uint8_t *text, Count start, Count end, Take take) {
  std::string word;
  for (Count at = start; at < end;) {
    if ((kindOf(text[at]) & (LETTER | DIGIT)) == 0) {
      at++;
      continue;
    }
    word.assign(1, 0);
    bool onlyConnectors = true;
    for (Count behind = endOfWord(text, at + 1, end); at < behind; at++) {
      word += (char)plainByte(text[at]);
      onlyConnectors &= text[at] == '_';
    }
    if (!onlyConnectors) take(word);
  }
}

inline Reference invertPlainly(const uint8_t *text, const std::vector<uint32_t> &parts, uint32_t fields) {
  Reference result;
  for (size_t part = 0; part + 1 < parts.size(); part++) {
    uint32_t position = 0;
    forEachWord(text, parts[part], parts[part + 1], [&](std::string &word) {
      word[0] = (char)(part % fields);
      result.postings[word].push_back({(uint32_t)(part / fields), position++});
    });
    result.lengths.push_back(position);
  }
  return result;
}

// The same with stems: `stemOf` takes a word behind its field, and returns an empty text for a stop word.
template <class StemOf>
Reference stemPlainly(const Reference &words, uint32_t fields, StemOf stemOf) {
  Reference result{{}, words.lengths};
  for (const auto &[word, tokens] : words.postings) {
    std::string stem = stemOf(word);
    for (auto token : tokens) {
      if (stem.empty()) {
        result.lengths[token.first * fields + (uint8_t)word[0]]--;
      } else {
        result.postings[stem].push_back(token);
      }
    }
  }
  for (auto &[stem, tokens] : result.postings) std::sort(tokens.begin(), tokens.end());
  return result;
}

// The bytes of a Term or PackedTerm.
template <class AnyTerm>
std::string bytesOf(const AnyTerm &term, const std::vector<uint8_t> &longBytes) {
  if (term.length > SHORT) return {(const char *)longBytes.data() + term.longStart, term.length};
  std::string bytes;
  for (unsigned i = 0; i < term.length; i++)
    bytes += (char)(i < 8 ? term.high >> 8 * (7 - i) : term.low >> 8 * (15 - i));
  return bytes;
}

// Replaces the words of a driver, after orderTerms, by stems that the host makes.
template <class StemOf>
void makeStems(Driver &driver, StemOf stemOf) {
  std::vector<uint8_t> longBytes, longStems;
  std::vector<Term> words = driver.getWords(longBytes), stems;
  std::map<std::string, uint32_t> ranks;
  for (const Term &word : words) ranks[stemOf(bytesOf(word, longBytes))];
  ranks.erase("");
  for (auto &[stem, rank] : ranks) {
    Term term{0, 0, 0, 0, (uint32_t)longStems.size(), (uint32_t)stem.size()};
    for (size_t i = 0; i < std::min<size_t>(stem.size(), SHORT); i++)
      (i < 8 ? term.high : term.low) |= (Count)(uint8_t)stem[i] << 8 * (7 - i % 8);
    if (stem.size() > SHORT) longStems.insert(longStems.end(), stem.begin(), stem.end());
    rank = (uint32_t)stems.size();
    stems.push_back(term);
  }
  std::vector<uint32_t> ofWords;
  for (const Term &word : words) {
    std::string stem = stemOf(bytesOf(word, longBytes));
    ofWords.push_back(stem.empty() ? (uint32_t)(stems.size() + (word.high >> 56)) : ranks[stem]);
  }
  driver.makeStems(stems, longStems, ofWords);
}

// What differs, or an empty text.
inline std::string difference(const Inverted &actual, const Reference &expected, const Block &block) {
  if (actual.lengths != expected.lengths) return "lengths";
  if (actual.terms.size() != expected.postings.size()) return "number of terms";
  Count keys = 0;
  std::string last;
  for (size_t i = 0; i < actual.terms.size(); i++) {
    const Term &term = actual.terms[i];
    std::string bytes = bytesOf(term, actual.longBytes);
    auto found = expected.postings.find(bytes);
    if (found == expected.postings.end()) return "an unknown term";
    if (i > 0 && bytes <= last) return "the order of terms";
    last = bytes;
    if (term.keys != found->second.size()) return "the length of a list";
    for (uint32_t k = 0; k < term.keys; k++) {
      Count key = actual.keys[term.firstKey + k];
      Count doc = key >> block.positionBits & ((1ull << block.docBits) - 1);
      Count position = key & ((1ull << block.positionBits) - 1);
      if (doc != found->second[k].first || position != found->second[k].second) return "a posting";
    }
    keys += term.keys;
  }
  return keys == actual.counters.tokens ? "" : "number of tokens";
}

// The packed postings of a text.
inline plain::Encoder packPlainly(const Reference &text, uint32_t fields) {
  plain::Encoder encoder;
  for (const auto &[term, tokens] : text.postings) {
    encoder.begin();
    for (size_t i = 0; i < tokens.size();) {
      uint32_t doc = tokens[i].first;
      std::vector<uint32_t> positions;
      for (; i < tokens.size() && tokens[i].first == doc; i++) positions.push_back(tokens[i].second);
      encoder.add(doc, positions, plain::norm(text.lengths[doc * fields + (uint8_t)term[0]]));
    }
    encoder.end();
  }
  return encoder;
}

// What differs, or an empty text.
inline std::string difference(const Packed &actual, const plain::Encoder &expected) {
  if (actual.terms.size() != expected.states.size()) return "the number of terms";
  for (size_t i = 0; i < actual.terms.size(); i++) {
    const PackedTerm &term = actual.terms[i];
    const plain::State &state = expected.states[i];
    std::string which = " of term " + std::to_string(i) + " with " + std::to_string(state.docFreq) + " documents";
    if (term.docFreq != state.docFreq) return "docFreq" + which;
    if (term.totalTermFreq != state.totalTermFreq) return "totalTermFreq" + which;
    if (term.docsStart != state.docsStart) return "docsStart" + which;
    if (term.positionsStart != state.positionsStart) return "positionsStart" + which;
    if (term.lastPositionsBlock != (uint32_t)state.lastPositionsBlock) return "lastPositionsBlock" + which;
    if (term.firstDoc != (uint32_t)state.firstDoc) return "firstDoc" + which;
  }
  if (actual.docs != expected.docsOut.bytes) return "documents";
  if (actual.positions != expected.positionsOut.bytes) return "positions";
  const Counters &found = actual.counters;
  const Count maxima[] = {found.blockImpacts, found.blockImpactBytes, found.groupImpacts, found.groupImpactBytes};
  for (int i = 0; i < 4; i++) {
    if (maxima[i] != expected.maxima[i]) return "maxima";
  }
  return "";
}

// What differs from `words` if these become stems; an empty text if nothing does. The driver has a text.
template <class StemOf>
std::string differenceOfStems(Driver &driver, const Reference &words, uint32_t fields, StemOf stemOf) {
  driver.makeKeys();
  driver.orderTerms();
  makeStems(driver, stemOf);
  Reference expected = stemPlainly(words, fields, stemOf);
  Inverted lists;
  driver.getLists(lists);
  lists.counters = driver.counters;
  std::string found = difference(lists, expected, driver.block);
  if (!found.empty()) return found;
  Count dropped = 0;
  for (uint32_t all : words.lengths) dropped += (Count)all * (all - 1) / 2;
  for (const auto &[stem, tokens] : expected.postings)
    for (auto token : tokens) dropped -= token.second;
  if (driver.counters.droppedPositions != dropped) return "the sum of the positions of stop words";
  if (driver.counters.tokens == 0) return "";
  if (!driver.packPostings()) return "that they are not packed";
  Packed packed;
  driver.getPacked(packed);
  packed.counters = driver.counters;
  found = difference(packed, packPlainly(expected, fields));
  return found.empty() ? "" : "packed " + found;
}

}  // namespace inversion
