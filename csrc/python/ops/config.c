/* ssop.cpu_features, and what ssop.show_config knows from C: the build, the machine, the settings. */
#include "../parse.h"

#include "build_info.h"

#include "../../runtime/blocks.h"
#include "../../runtime/caches.h"
#include "../../runtime/processors.h"
#include "../../runtime/threads.h"

PyObject *
py_cpu_features(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = "cpu_features"};
    if (parse_nothing(&call, args, positional, kwnames) < 0) {
        return NULL;
    }
    PyObject *features = PyDict_New();
    const char *target;
    bool runs;
    for (int32_t at = 0; features != NULL && (target = ssop_cpu_target_at(at, &runs)) != NULL; at++) {
        if (PyDict_SetItemString(features, target, runs ? Py_True : Py_False) < 0) {
            Py_CLEAR(features);
        }
    }
    return features;
}

#if defined(__clang__)
#define COMPILED_BY "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILED_BY "GCC " __VERSION__
#else
#define COMPILED_BY "unknown"
#endif

#if defined(__OPTIMIZE__)
#define OPTIMIZED Py_True
#else
#define OPTIMIZED Py_False
#endif

#if defined(SSOP_DEBUG)
#define ASSERTIONS Py_True
#else
#define ASSERTIONS Py_False
#endif

PyObject *
py_core_config(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = "core_config"};
    if (parse_nothing(&call, args, positional, kwnames) < 0) {
        return NULL;
    }
    char model[SSOP_CPU_MODEL_BYTES];
    ssop_cpu_model(model);
    /* clang-format off */
    return Py_BuildValue("{s:{s:s,s:s,s:O,s:O,s:s,s:s},s:{s:s,s:s,s:s},s:{s:i,s:i},s:{s:L,s:n}}",
        "build",
            "compiler", COMPILED_BY,
            "flags", SSOP_BUILD_FLAGS,
            "optimized", OPTIMIZED,
            "assertions", ASSERTIONS,
            "numpy_headers", SSOP_BUILD_NUMPY,
            "sources", SSOP_BUILD_SOURCES,
        "kernels",
            "chosen", ssop_cpu_target(),
            "processor", model,
            "chosen_by", call.state->cpu_is_named ? "SSOP_CPU" : "the processor",
        "threads",
            "count", ssop_threads_count(),
            "processors", ssop_processors(),
        "memory",
            "last_cache_bytes_told", (long long)ssop_caches_last_bytes(),
            "most_kept_bytes", (Py_ssize_t)ssop_blocks_cap());
    /* clang-format on */
}
