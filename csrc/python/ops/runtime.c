/* ssop.set_num_threads, ssop.get_num_threads, ssop.trim_memory, and what the environment says about threads and memory.
 * */
#include "runtime.h"

#include "../../runtime/blocks.h"
#include "../../runtime/threads.h"
#include "../args.h"
#include "../errors.h"
#include "../parse.h"

/* A number from the environment; -1 if the variable is absent or empty, -2 with an exception if it holds anything
 * else. */
static int64_t
environment_number(const char *variable, int64_t low, int64_t high, const char *what)
{
    const char *text = getenv(variable);
    if (text == NULL || *text == '\0') {
        return -1;
    }
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9' || *end != '\0' || number < low || number > high) {
        PyErr_Format(PyExc_ImportError, "%s=%.100s: not %s, %lld..%lld", variable, text, what, (long long)low,
                     (long long)high);
        return -2;
    }
    return number;
}

int
runtime_init(void)
{
    int64_t threads = environment_number("SSOP_NUM_THREADS", 1, SSOP_MAX_THREADS, "a number of threads");
    if (threads < -1) {
        return -1;
    }
    int64_t bytes = environment_number("SSOP_CACHE_BYTES", 0, PY_SSIZE_T_MAX, "a number of bytes");
    if (bytes < -1) {
        return -1;
    }
    if (threads > 0) {
        ssop_threads_set_count((int)threads);
    }
    ssop_blocks_set_cap(bytes >= 0 ? (size_t)bytes : ssop_blocks_default_cap());
    return 0;
}

PyObject *
py_set_num_threads(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_N), .required = 1};
    static const ssop_error outside = {.rule = SSOP_TH_C1, .axis = -1, .entry = -1, .low = 1, .high = SSOP_MAX_THREADS};
    call_context call = {.state = state_of(module), .op = "set_num_threads"};
    PyObject *found[MAX_PARAMETERS];
    int64_t count;
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ||
        args_read_bounded(&call, "n", found[0], SSOP_TH_C2, &outside, &count) < 0) {
        return NULL;
    }
    ssop_threads_set_count((int)count);
    Py_RETURN_NONE;
}

PyObject *
py_get_num_threads(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = "get_num_threads"};
    if (parse_nothing(&call, args, positional, kwnames) < 0) {
        return NULL;
    }
    return PyLong_FromLong(ssop_threads_count());
}

PyObject *
py_trim_memory(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = "trim_memory"};
    if (parse_nothing(&call, args, positional, kwnames) < 0) {
        return NULL;
    }
    size_t bytes;
    Py_BEGIN_ALLOW_THREADS bytes = ssop_blocks_trim();
    Py_END_ALLOW_THREADS return PyLong_FromSize_t(bytes);
}
