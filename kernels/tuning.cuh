// Sizes of the kernels, apart from what they do; NOTES.md has the figures that chose them.
//   M  logarithm of sigma, the keys of a part: 11 to 14 searched
//   V  logarithm of the keys of a thread: 4 to 6 searched
//   K  logarithm of k, the shortest rows of keys that are moved: 2 to 4 searched
//   S  blocks that shall fit on a multiprocessor when blocks are sorted
//   B  the same when parts are merged
#pragma once

#ifndef KMODEL_M_64
#define KMODEL_M_64 13
#define KMODEL_V_64 5
#define KMODEL_K_64 3
#define KMODEL_S_64 2
#define KMODEL_B_64 2
#endif
#ifndef KMODEL_M_32
#define KMODEL_M_32 14
#define KMODEL_V_32 5
#define KMODEL_K_32 4
#define KMODEL_S_32 2
#define KMODEL_B_32 2
#endif
#ifndef KMODEL_M_128
#define KMODEL_M_128 12
#define KMODEL_V_128 4
#define KMODEL_K_128 2
#define KMODEL_S_128 2
#define KMODEL_B_128 2
#endif
