namespace own::nvshmem {
#if defined(ONE)
int first();
#elif defined(TWO)
int second() { return 2; }
#else
int third() { return 3; }
#endif
#ifdef FOUR
#else
int fourth() { return 4; }
#endif
#if 0
int never() { return 0; }
#else
int fifth() { return 5; }
#endif
}
