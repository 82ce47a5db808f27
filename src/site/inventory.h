/*
 * The inventory of a Sphinx site (objects.inv, version 2: four lines of text,
 * then zlib): which pages the site has. The pages come as paths that can
 * neither leave the site nor the folder they are written to; everything else
 * an inventory may say is counted as refused.
 */
#ifndef SL_SITE_INVENTORY_H
#define SL_SITE_INVENTORY_H

#include "base/arena.h"
#include "base/status.h"
#include "base/view.h"

struct sl_inventory_page {
    /*
     * Relative to the inventory's folder, as it stands in a URL: unreserved
     * characters plain, others as %XX, no query, no fragment, no component that
     * is empty or begins with a dot. May be empty or end in a slash.
     */
    struct sl_view path;
    /* The same as a file's name: `index.html` where path is or ends empty. */
    struct sl_view file;
};

struct sl_inventory {
    struct sl_view project;
    struct sl_view version;
    const struct sl_inventory_page *pages; /* sorted by file, each file once */
    size_t count;
    size_t entries;        /* lines of the inventory */
    /*
     * Entries that lead elsewhere or have no form, and pages that lie below
     * another page's file. The line of the first entry; it may hold any bytes.
     */
    size_t refused;
    struct sl_view first_refused;
};

/* bytes: the whole file, at most SL_MAX_INVENTORY. Views live in the arena. */
SL_CHECKED enum sl_status sl_inventory_parse(struct sl_arena *arena,
                                             struct sl_view bytes,
                                             struct sl_inventory *inventory_out,
                                             struct sl_error *error);

#endif
