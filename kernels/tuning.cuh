// Sizes of the kernels, apart from what they do; NOTES.md has the figures that chose them.
//   M  logarithm of sigma, the keys of a part: 12 to 14 searched
//   V  logarithm of the keys of a thread: 4 to 6 searched
//   B  blocks that shall fit on a multiprocessor
//   K  logarithm of k, the shortest rows of keys: 2 to 4 searched
#pragma once

#ifndef KMODEL_M_64
#define KMODEL_M_64 13
#define KMODEL_V_64 5
#define KMODEL_B_64 3
#define KMODEL_K_64 3
#endif
#ifndef KMODEL_M_32
#define KMODEL_M_32 14
#define KMODEL_V_32 5
#define KMODEL_B_32 3
#define KMODEL_K_32 4
#endif
#ifndef KMODEL_M_128
#define KMODEL_M_128 12
#define KMODEL_V_128 4
#define KMODEL_B_128 3
#define KMODEL_K_128 2
#endif
