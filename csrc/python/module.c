/* The module ssop._core: its state, its methods and types, nothing else. */
#define SSOP_IMPORTS_NUMPY
#include "methods.h"

#include "../runtime/caches.h"
#include "deferred.h"
#include "docstrings.h"
#include "errors.h"
#include "ops/runtime.h"
#include "types/chunks.h"
#include "types/dim.h"
#include "types/plan.h"
#include "types/region.h"
#include "types/shape_type.h"
#include "value_kinds.h"

/* Framework methods are not in this table, but the descriptions that go with them are. */
#define NO_ROW(framework, name)
#define METHOD_ROW(name) {#name, COMPAT_FASTCALL(py_##name), #name DOC_##name},
#define DESCRIPTION_ROW(framework, name, description) METHOD_ROW(framework##_##name##_##description)

static PyMethodDef methods[] = {
    SSOP_METHODS(METHOD_ROW) SSOP_FRAMEWORK_METHODS(NO_ROW, DESCRIPTION_ROW){NULL, NULL, 0, NULL},
};

/* A function that calls itself by the name it has in ssop.<framework>, for help, signatures and pickles. */
typedef struct {
    const char *attribute, *module;
    PyMethodDef method;
} framework_method;

#define FRAMEWORK_ROW(framework, name)                                                                                 \
    {#framework "_" #name,                                                                                             \
     "ssop." #framework,                                                                                               \
     {#name, COMPAT_FASTCALL(py_##framework##_##name), #name DOC_##framework##_##name}},
#define DESCRIBED_ROW(framework, name, description) FRAMEWORK_ROW(framework, name)

static framework_method framework_methods[] = {SSOP_FRAMEWORK_METHODS(FRAMEWORK_ROW, DESCRIBED_ROW)};

static int
add_framework_methods(PyObject *module)
{
    for (size_t i = 0; i < sizeof framework_methods / sizeof *framework_methods; i++) {
        framework_method *row = &framework_methods[i];
        PyObject *name = PyUnicode_InternFromString(row->module);
        PyObject *function = name != NULL ? PyCFunction_NewEx(&row->method, module, name) : NULL;
        int result = function != NULL ? PyModule_AddObjectRef(module, row->attribute, function) : -1;
        Py_XDECREF(function);
        Py_XDECREF(name);
        if (result < 0) {
            return -1;
        }
    }
    return 0;
}

static int
add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type != NULL ? PyModule_AddType(module, *type) : -1;
}

/* The best kernels for this processor, or those that the environment names (cfg_s1), the way of
 * copying that it forces, and what suits its caches. */
static int
choose_cpu(module_state *state)
{
    const char *target = getenv("SSOP_CPU");
    state->cpu_is_named = target != NULL && *target != '\0';
    if (!ssop_cpu_choose(state->cpu_is_named ? target : NULL)) {
        PyErr_Format(PyExc_ImportError, "SSOP_CPU=%s: no such kernels, or none that this processor can run", target);
        return -1;
    }
    const char *variant = getenv("SSOP_VARIANT");
    if (!ssop_variant_force(variant != NULL && *variant != '\0' ? variant : NULL)) {
        PyErr_Format(PyExc_ImportError, "SSOP_VARIANT=%s: no way of copying has this name", variant);
        return -1;
    }
    ssop_policies policies;
    ssop_policies_of_machine(&policies, ssop_caches_last_bytes());
    ssop_policies_use(&policies);
    return 0;
}

static int
module_exec(PyObject *module)
{
    module_state *state = state_of(module);
    /* import_array1 would print each error, also KeyboardInterrupt, and raise ImportError instead. */
    if (_import_array() < 0) {
        return -1;
    }
    if (runtime_init() < 0 || choose_cpu(state) < 0 || value_kinds_init() < 0) {
        return -1;
    }
    for (int i = 0; i < ARG_NAME_COUNT; i++) {
        state->arg_name[i] = PyUnicode_InternFromString(ssop_arg_names[i]);
        if (state->arg_name[i] == NULL) {
            return -1;
        }
    }
    return errors_init(module) < 0 || add_framework_methods(module) < 0 ||
                   add_type(module, &ssop_region_spec, &state->region_type) < 0 ||
                   add_type(module, &ssop_chunks_spec, &state->chunks_type) < 0 ||
                   add_type(module, &ssop_deferred_spec, &state->deferred_type) < 0 ||
                   add_type(module, &ssop_plan_spec, &state->plan_type) < 0 ||
                   add_type(module, &ssop_dim_spec, &state->dim_type) < 0 ||
                   add_type(module, &ssop_shape_spec, &state->shape_type) < 0
             ? -1
             : 0;
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = state_of(module);
    for (size_t i = 0; i < sizeof state->error / sizeof *state->error; i++) {
        Py_VISIT(state->error[i]);
    }
    Py_VISIT(state->lazy);
    Py_VISIT(state->region_type);
    Py_VISIT(state->chunks_type);
    Py_VISIT(state->deferred_type);
    Py_VISIT(state->plan_type);
    Py_VISIT(state->dim_type);
    Py_VISIT(state->shape_type);
    return 0;
}

static int
module_clear(PyObject *module)
{
    module_state *state = state_of(module);
    for (size_t i = 0; i < sizeof state->error / sizeof *state->error; i++) {
        Py_CLEAR(state->error[i]);
    }
    for (int i = 0; i < ARG_NAME_COUNT; i++) {
        Py_CLEAR(state->arg_name[i]);
    }
    Py_CLEAR(state->lazy);
    Py_CLEAR(state->dim_texts);
    Py_CLEAR(state->dim_places);
    Py_CLEAR(state->region_type);
    Py_CLEAR(state->chunks_type);
    Py_CLEAR(state->deferred_type);
    Py_CLEAR(state->plan_type);
    Py_CLEAR(state->dim_type);
    Py_CLEAR(state->shape_type);
    return 0;
}

static void
module_free(void *module)
{
    module_clear((PyObject *)module);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED}, /* as NumPy */
#endif
#if defined(Py_mod_gil)
    {Py_mod_gil, Py_MOD_GIL_NOT_USED}, /* shared.h and state.h have what takes its place */
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,          .m_name = "ssop._core",  .m_doc = "The C functions and types of ssop.",
    .m_size = sizeof(module_state), .m_methods = methods,    .m_slots = slots,
    .m_traverse = module_traverse,  .m_clear = module_clear, .m_free = module_free,
};

PyMODINIT_FUNC
PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
