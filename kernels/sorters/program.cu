// All sorters that papers compare, in a module that only experiments load: the network for keys of 62 and of 32 bits, and
// the others for unsigned words of 64 and of 32.
#define KMODEL_NO_DEFAULT_KERNELS
#include "../kmodel.cu"
#include "../inversion/scan.cuh"
#include "sorters.cu"

#include "bitonic_merge.cu"
#include "devices.cu"
#include "pairs.cu"
#include "strings.cu"
#include "records.cu"

KMODEL_KERNELS(f64, DoubleKey, KMODEL_M_64, KMODEL_V_64, KMODEL_K_64, KMODEL_S_64, KMODEL_B_64)
KMODEL_KERNELS(u32, IntegerKey<unsigned>, KMODEL_M_32, KMODEL_V_32, KMODEL_K_32, KMODEL_S_32, KMODEL_B_32)
