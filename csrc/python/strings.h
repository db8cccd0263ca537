/* Items of NumPy's StringDType, which lie in a store of their own. */
#ifndef SSOP_PYTHON_STRINGS_H
#define SSOP_PYTHON_STRINGS_H

#include "private_view.h"

/* `to`, items of `dst`, <- `from`, items of `src`, two arrays of StringDType: all of them or, on error, none. The two
 * may overlap. `from` has the shape of `to`, or no axes. -1 on error. */
int strings_replace(const private_view *dst, const ssop_view *to, const private_view *src, const ssop_view *from);

#endif /* SSOP_PYTHON_STRINGS_H */
