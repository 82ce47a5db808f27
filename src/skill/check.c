#include "skill/check.h"

#include <string.h>

#include "os/file.h"

enum sl_status sl_skill_check(const char *folder,
                              struct sl_skill_report *report,
                              struct sl_error *error)
{
    bool is_there = false;
    sl_skill_report_init(report);
    enum sl_status status = sl_path_find_folder(folder, &is_there, error);
    if (status)
        return status;
    if (!is_there)
        return sl_error_set(error, SL_ERR_IO,
                            "%s is no folder: give the folder of a skill",
                            folder);
    if (sl_path_kind_beneath(folder, SL_LIT("SKILL.md")) == SL_PATH_NONE)
        sl_skill_add(report, SL_SKILL_ERROR, SL_LIT(""), 0, "no-skill-md",
                     "there is no file SKILL.md in it");
    return SL_OK;
}
