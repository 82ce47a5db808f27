/* The knowledge base that is built in; empty in programs without one. */
#ifndef SL_CLI_IMAGE_H
#define SL_CLI_IMAGE_H

#include "base/view.h"

struct sl_view sl_image(void);

#endif
