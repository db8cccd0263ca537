#ifndef SSOP_PROOF_STDDEF_H
#define SSOP_PROOF_STDDEF_H
typedef unsigned long size_t;
#define NULL ((void *)0)
#endif
