// Random texts for tests.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

static std::mt19937_64 randomBits(20261128);

static unsigned below(unsigned limit) { return (unsigned)(randomBits() % limit); }

static void require(bool holds, const char *what, const std::string &found) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\n", what, found.c_str());
  std::exit(1);
}

// Some characters of an alphabet. After at most `longest` of them comes a blank.
static std::string words(unsigned bytes, const std::string &alphabet, unsigned longest) {
  std::string text;
  for (unsigned run = 0; text.size() < bytes; run++) {
    if (run == longest) {
      text += ' ';
      run = 0;
    }
    text += alphabet[below((unsigned)alphabet.size())];
    if (text.back() == ' ') run = 0;
  }
  return text;
}

// Cuts a text into documents of several fields, some of them empty, and ends each part with a line feed.
static std::vector<uint32_t> cut(std::string &text, unsigned fields, unsigned longestPart) {
  std::vector<uint32_t> parts{0};
  while (parts.back() < text.size() || (parts.size() - 1) % fields != 0) {
    unsigned start = parts.back(), left = (unsigned)text.size() - start;
    unsigned bytes = below(3) == 0 ? 0 : std::min(left, 1 + below(longestPart));
    if (bytes > 0) text[start + bytes - 1] = '\n';
    parts.push_back(start + bytes);
  }
  return parts;
}

static const std::string MIXED = "abAB019__::..,;'' - \xC3\xA9\xF5\xF6\xF9\xFD\x80\xFF";
