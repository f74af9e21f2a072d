// All kernels of the program, in one module: the sort and the inversion.
#include "kmodel.cu"

#include "inversion/inversion.cu"
