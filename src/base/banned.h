/*
 * Functions that never end well become compile errors. Included by force, so
 * that no file can forget it.
 */
#ifndef SL_BASE_BANNED_H
#define SL_BASE_BANNED_H

#ifndef __ASSEMBLER__

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SL_BANNED(name) sl_banned_##name = sl_banned_##name

#undef strcpy
#define strcpy(...) SL_BANNED(strcpy)
#undef strcat
#define strcat(...) SL_BANNED(strcat)
#undef strncpy
#define strncpy(...) SL_BANNED(strncpy)
#undef strncat
#define strncat(...) SL_BANNED(strncat)
#undef sprintf
#define sprintf(...) SL_BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) SL_BANNED(vsprintf)
#undef strtok
#define strtok(...) SL_BANNED(strtok)
#undef sscanf
#define sscanf(...) SL_BANNED(sscanf)
#undef atoi
#define atoi(...) SL_BANNED(atoi)
#undef atol
#define atol(...) SL_BANNED(atol)
#undef atof
#define atof(...) SL_BANNED(atof)
#undef gmtime
#define gmtime(...) SL_BANNED(gmtime)
#undef localtime
#define localtime(...) SL_BANNED(localtime)
#undef ctime
#define ctime(...) SL_BANNED(ctime)

#endif

#endif
