#include "serve/base64.h"

void sl_base64(struct sl_buf *out, struct sl_view bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        uint32_t group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 |
                    (k < left ? (unsigned char)bytes.ptr[i + k] : 0u);
        char four[4];
        for (size_t k = 0; k < 4; k++)
            four[k] = k <= left ? digits[group >> (18 - 6 * k) & 63u] : '=';
        sl_buf_add(out, (struct sl_view){four, 4});
    }
}
