/*
 * The record of a run, evidence/runs/one.json, as `verify` reads it. It is read
 * from a file, so each input is written to one.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "os/file.h"
#include "verify/checks.h"

static char root[] = "/tmp/shmemlore-fuzz-XXXXXX";
static char record[sizeof root + 32];

static void clean(void)
{
    char command[sizeof root + 16];
    (void)snprintf(command, sizeof command, "rm -rf %s", root);
    (void)!system(command);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    char folder[sizeof root + 32];
    FUZZ_CHECK(mkdtemp(root));
    (void)atexit(clean);
    (void)snprintf(folder, sizeof folder, "%s/evidence/runs", root);
    FUZZ_CHECK(!sl_folder_make(folder, NULL));
    (void)snprintf(record, sizeof record, "%s/evidence/runs/one.json", root);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd = open(record, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FUZZ_CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    close(fd);
    struct sl_report report;
    struct sl_checks checks;
    struct sl_buf out;
    sl_report_init(&report);
    sl_checks_init(&checks, root, &report);
    sl_buf_init(&out, FUZZ_ARENA);
    FUZZ_CHECK(!sl_kb_add(&checks.kb, SL_LIT("references/x.md"),
                          SL_LIT("# A\n\nobserved `run:one`\n"), NULL));
    FUZZ_CHECK(!sl_checks_collect(&checks, NULL));
    (void)!sl_checks_runs(&checks, NULL);
    sl_report_sort(&report);
    sl_report_text(&out, &report, "");
    sl_buf_release(&out);
    sl_checks_release(&checks);
    sl_report_release(&report);
    return 0;
}
