/* What docstrings have in common. Each one is a string literal of these and of its own parts. */
#ifndef SSOP_PYTHON_DOCS_H
#define SSOP_PYTHON_DOCS_H

#define DOC_PARAMETERS "Parameters\n----------\n"
#define DOC_OUT "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
#define DOC_RETURNS "Returns\n-------\n"
#define DOC_NEW_OR_OUT DOC_RETURNS "numpy.ndarray : new, C-ordered, of the same dtype; or `out`."
#define DOC_RAISES "Raises\n------\nSliceError : `label` names the rule ("
#define DOC_EXAMPLES "Examples\n--------\n>>> import numpy as np, ssop\n"

#endif /* SSOP_PYTHON_DOCS_H */
