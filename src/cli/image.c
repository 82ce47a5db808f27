#include "cli/image.h"

/* Made by tools/embed from what shmemlore-image writes; see src/meson.build. */
extern const char sl_data_image[], sl_data_image_end[];

struct sl_view sl_image(void)
{
    return (struct sl_view){sl_data_image,
                            (size_t)(sl_data_image_end - sl_data_image)};
}
