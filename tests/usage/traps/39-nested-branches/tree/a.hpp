namespace own::nvshmem {
#ifdef ONE
#if TWO
int first();
#else
#ifndef THREE
int second() { return 2; }
#elif FOUR
int third();
#endif
#endif
extern "C" {
int fourth();
}
#endif
#if 0
#if ONE
int never();
#endif
#endif
}
