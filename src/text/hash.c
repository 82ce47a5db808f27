#include "text/hash.h"

#include <mbedtls/md.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum sl_status sl_sha256_hex(struct sl_view bytes, char hex_out[65],
                             struct sl_error *error)
{
    unsigned char digest[32];
    const mbedtls_md_info_t *sha256 =
        mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
    if (!sha256 || mbedtls_md(sha256, (const unsigned char *)bytes.ptr,
                              bytes.len, digest) != 0)
        return sl_error_set(error, SL_ERR_INTERNAL, "SHA-256 failed");
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof digest; i++) {
        hex_out[2 * i] = digits[digest[i] >> 4];
        hex_out[2 * i + 1] = digits[digest[i] & 15];
    }
    hex_out[64] = '\0';
    return SL_OK;
}

uint64_t sl_bytes_hash(struct sl_view bytes)
{
    return XXH3_64bits(bytes.ptr, bytes.len);
}

uint64_t sl_line_hash(struct sl_view line)
{
    line = sl_view_trim(line);
    /* Most lines hold no run to fold: they are hashed where they lie. */
    size_t i = 0;
    while (i < line.len && !(sl_is_space(line.ptr[i]) &&
                             (line.ptr[i] != ' ' ||
                              sl_is_space(line.ptr[i + 1]))))
        i++;
    if (i == line.len)
        return XXH3_64bits(line.ptr, line.len);

    XXH3_state_t state;
    (void)XXH3_64bits_reset(&state);
    char chunk[256];
    size_t used = 0;
    bool blank = false;
    for (i = 0; i < line.len; i++) {
        char c = line.ptr[i];
        if (sl_is_space(c)) {
            if (blank)
                continue;
            c = ' ';
        }
        blank = c == ' ';
        chunk[used++] = c;
        if (used == sizeof chunk) {
            (void)XXH3_64bits_update(&state, chunk, used);
            used = 0;
        }
    }
    (void)XXH3_64bits_update(&state, chunk, used);
    return XXH3_64bits_digest(&state);
}
