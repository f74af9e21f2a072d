// Writes a collection of JSON lines in several files, with `id` and `contents`, for builds on a machine without one:
//   corpus TEXT_MIB FOLDER FILES < list of text files
#include "../shim/cuda_shim.h"

#include "../inversion/block.cuh"

using namespace inversion;

#include "text.h"

#include <thread>

int main(int, char **argv) {
  Text text = makeText(std::stoull(argv[1]) << 20);
  Count documents = text.documents.size() - 1, files = std::stoull(argv[3]);
  std::vector<std::thread> team;
  for (Count file = 0; file < files; file++) {
    team.emplace_back([&, file] {
      std::ofstream out(std::string(argv[2]) + "/part-" + std::to_string(100 + file) + ".jsonl", std::ios::binary);
      std::string line;
      for (Count d = file * documents / files; d < (file + 1) * documents / files; d++) {
        line = "{\"id\":\"d" + std::to_string(d) + "\",\"contents\":\"";
        for (Count i = text.documents[d]; i + 1 < text.documents[d + 1]; i++) {
          char c = (char)text.bytes[i];
          // Only ASCII, without what JSON would escape.
          line += (unsigned char)c >= 0x7F || c == '"' || c == '\\' ? ' ' : c;
        }
        out << line << "\"}\n";
      }
    });
  }
  for (auto &thread : team) thread.join();
  std::printf("%.3f GB, %llu documents in %llu files\n", text.bytes.size() / 1e9, documents, files);
}
