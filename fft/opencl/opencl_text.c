/* opencl_text.c - appends macros and files to the text of a program. */
#include "fft/opencl/opencl_text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fft/opencl/opencl_sources.h"

void opencl_text_add(struct opencl_text *t, const char *format, ...)
{
    const size_t left = t->length < t->size ? t->size - t->length : 0;
    va_list args;
    va_start(args, format);
    const int count = vsnprintf(left > 0 ? t->out + t->length : NULL, left, format, args);
    va_end(args);
    t->length += count > 0 ? (size_t)count : 0;
}

void opencl_text_define(struct opencl_text *t, const char *name, const char *value)
{
    opencl_text_add(t, "#undef %s\n#define %s %s\n", name, name, value);
}

void opencl_text_number(struct opencl_text *t, const char *name, uint64_t value)
{
    opencl_text_add(t, "#undef %s\n#define %s %llu\n", name, name, (unsigned long long)value);
}

void opencl_text_file(struct opencl_text *t, const char *stem)
{
    const char *source = opencl_source(stem);
    assert(source);
    opencl_text_add(t, "#line 1 \"%s.cl\"\n", stem);
    const size_t length = strlen(source);
    if (t->length + length < t->size)
        memcpy(t->out + t->length, source, length + 1);
    else if (t->length < t->size)
        t->out[t->length] = '\0'; /* terminate the text that fits */
    t->length += length;
}
