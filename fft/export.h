/*
 * export.h - FFT_API_BEGIN and FFT_API_END enclose the declarations of a public header: they have C
 * linkage, also in C++, and a shared library exports them. The library is compiled with
 * -fvisibility=hidden, so it exports nothing else.
 */
#ifndef FFTD_FFT_EXPORT_H
#define FFTD_FFT_EXPORT_H

#ifdef __cplusplus
#define FFT_API_BEGIN                                                                              \
    _Pragma("GCC visibility push(default)") extern "C"                                             \
    {
#define FFT_API_END                                                                                \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define FFT_API_BEGIN _Pragma("GCC visibility push(default)")
#define FFT_API_END   _Pragma("GCC visibility pop")
#endif

#endif
