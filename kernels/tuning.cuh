// Sizes of the kernels; NOTES.md has the measurements behind them.
//   M  logarithm of sigma, the keys of a part: 11 to 14 were tried
//   V  logarithm of the keys of a thread: 4 to 6 were tried
//   K  logarithm of k, the shortest rows of keys that are moved: 2 to 4 were tried
//   S  blocks that must fit on a multiprocessor while blocks are sorted
//   B  the same while parts are merged
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
