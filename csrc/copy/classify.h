/* From a reduced loop nest to the pattern, the kernel and the axis along which pieces are cut. */
#ifndef SSOP_COPY_CLASSIFY_H
#define SSOP_COPY_CLASSIFY_H

#include "../core/common.h"

void ssop_nest_classify(ssop_nest *nest);

#endif /* SSOP_COPY_CLASSIFY_H */
