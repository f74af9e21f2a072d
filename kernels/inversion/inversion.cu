// The kernels of the inversion, by name; block.cuh says what they do. Dynamic shared memory is the size of the struct
// that a kernel names with INVERSION_SHARED.
#include "postings.cuh"
#include "stems.cuh"
