#include "base/limits.h"
#include "cli/cli.h"
#include "skill/check.h"

static const char help_text[] =
    "usage: shmemlore skill check [OPTION...] DIR\n"
    "\n"
    "Whether the folder of an agent skill, anybody's, keeps to the format:\n"
    "front matter, sizes, links and file names that lead somewhere.\n"
    "\n"
    "      --strict       warnings count as errors\n"
    "      --json         one JSON object, schema shmemlore.skill-check/1\n"
    "\n"
    "Examples:\n"
    "  shmemlore skill check skills/nvshmem\n"
    "  shmemlore skill check --strict --json .claude/skills/mine\n"
    "\n"
    "Exit status: 0 no error, 1 errors, 2 it could not be read.\n";

struct options {
    bool strict, json;
};

static int check(const struct options *options, const char *folder)
{
    struct sl_error error = {SL_OK, ""};
    struct sl_skill_report report;
    int result = SL_EXIT_ERROR;
    if (sl_skill_check(folder, &report, &error)) {
        (void)sl_cli_fail(&error);
    } else {
        bool bad = report.errors || (options->strict && report.warnings);
        struct sl_buf out;
        sl_buf_init(&out, SL_MAX_OUTPUT);
        if (options->json)
            sl_skill_report_json(&out, &report, folder);
        else
            sl_skill_report_text(&out, &report, folder);
        result = sl_cli_print(&out, bad ? SL_EXIT_NOTHING : SL_EXIT_FOUND);
    }
    sl_skill_report_release(&report);
    return result;
}

int sl_cmd_skill_check(int argc, char **argv)
{
    static const struct option table[] = {
        {"strict", no_argument, NULL, 's'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct options options = {.strict = false};
    for (int c; (c = getopt_long(argc, argv, "h", table, NULL)) != -1;) {
        if (c == 's')
            options.strict = true;
        else if (c == 'j')
            options.json = true;
        else
            return c == 'h' ? sl_cli_text(help_text)
                            : sl_cli_option("skill check", argv[optind - 1]);
    }
    if (argc - optind != 1)
        return sl_cli_usage("skill check takes the folder of one skill; "
                            "--help tells more");
    return check(&options, argv[optind]);
}
