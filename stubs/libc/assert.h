/* Stand-in, see stddef.h. */
#define assert(condition) ((void)0)
