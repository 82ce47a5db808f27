#include "base/limits.h"
#include "helpers/docs/command.h"
#include "os/file.h"

enum sl_status sl_docs_read_page(struct sl_arena *arena, const char *path,
                                 struct sl_html *html_out,
                                 struct sl_error *error)
{
    struct sl_view bytes;
    enum sl_status status = sl_file_read(arena, path, SL_MAX_HTML_FILE, &bytes,
                                         error);
    if (!status)
        status = sl_html_recognise(arena, bytes, sl_view_of(path), error);
    return status ? status : sl_html_parse(arena, bytes, html_out, error);
}
