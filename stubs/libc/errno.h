/* Stand-in, see stddef.h: bodies are not read, so no name is needed. */
#include <stddef.h>
