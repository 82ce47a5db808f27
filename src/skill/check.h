/*
 * The rules of the Agent Skills format, for any skill: docs/skill-check.md has
 * them with their reasons.
 */
#ifndef SL_SKILL_CHECK_H
#define SL_SKILL_CHECK_H

#include "skill/report.h"

/*
 * Checks the skill in folder (or the folder of a file SKILL.md) and fills report,
 * sorted; the caller releases it, also after an error. What is wrong with the skill
 * is in the report. An error: there is no such folder, something in it may not be
 * read, no memory.
 */
SL_CHECKED enum sl_status sl_skill_check(const char *folder,
                                         struct sl_skill_report *report,
                                         struct sl_error *error);

#endif
