// For tests of sorters: numbers of keys at the borders of tiles and warps, and how a test fails.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

[[noreturn]] inline void fail(const std::string &name, const std::string &what) {
  std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
  std::exit(1);
}

// Around each of so many tiles; without any, one number, for tests that take long.
inline std::set<unsigned long long> sizesAround(unsigned long long tile, int tiles) {
  if (tiles == 0) return {tile + 3};
  std::set<unsigned long long> sizes{0, 1, 2, 31, 32, 33};
  for (int i = 1; i <= tiles; i++) {
    for (int delta : {-1, 0, 1, 33}) sizes.insert(i * tile + delta);
  }
  return sizes;
}
