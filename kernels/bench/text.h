// A text of any size, made of text files: see makeText.
#pragma once
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct Text {
  std::vector<uint8_t> bytes;
  std::vector<Count> documents;  // where they start, and the end
};

// Reads the names of files from the standard input, cuts their content into documents of 2 to 9.4 KB, and repeats these
// with other letters in some words until the text is long enough.
static Text makeText(Count wanted) {
  std::string base, path;
  std::vector<Count> cuts{0};
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(file)), {});
    for (Count at = 0; at < content.size();) {
      Count length = 2000 + mix(base.size()) % 7400, end = std::min<Count>(at + length, content.size());
      while (end < content.size() && content[end] > ' ' && end - at < 12'000) end++;
      for (; at < end; at++) base += content[at] < 0x20 && content[at] >= 0 ? ' ' : content[at];
      base += '\n';
      cuts.push_back(base.size());
    }
    if (base.size() > wanted) break;
  }
  // Plain form: at most 255 bytes between blanks.
  for (Count i = 0, run = 0; i < base.size(); i++) {
    run = (uint8_t)base[i] <= ' ' ? 0 : run + 1;
    if (run == 256) base[i] = ' ', run = 0;
    if ((uint8_t)base[i] >= FIRST_ESCAPE) base[i] = ' ';
  }
  Text text;
  text.documents.push_back(0);
  for (Count round = 0; text.bytes.size() < wanted; round++) {
    for (Count d = 0; d + 1 < cuts.size() && text.bytes.size() < wanted; d++) {
      Count start = text.bytes.size();
      text.bytes.insert(text.bytes.end(), base.begin() + cuts[d], base.begin() + cuts[d + 1]);
      for (Count i = start; round > 0 && i + 5 < text.bytes.size(); i++) {
        bool inside = true;
        for (Count k = i; k < i + 5; k++) inside &= (unsigned)((text.bytes[k] | 32) - 'a') < 26;
        if (inside && mix(i) % 640 == 0) for (Count k = i; k < i + 4; k++) text.bytes[k] = 'a' + mix(k * 31 + round) % 26;
      }
      text.documents.push_back(text.bytes.size());
    }
  }
  return text;
}

