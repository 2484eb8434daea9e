/* sim_record.h - a simulation in a debugger: the record of its choices, and a stop before one
 * SPDX-License-Identifier: MIT
 *
 * A line of the record tells what led to a choice. PT_RECORD=FILE writes them; if there is such a
 * file, they are compared with it. PT_CHOICE=12 stops the program before the twelfth. */
#ifndef PT_SIM_RECORD_H
#define PT_SIM_RECORD_H

#include "../base/config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pt_sim_record_ {
    FILE *file;     /* that of PT_RECORD, or NULL */
    bool compares;  /* with the file, instead of writing it */
    size_t stop_at; /* a choice, from 1 up: PT_CHOICE; or 0 */
};

#ifdef SIGTRAP
#define PT_SIM_STOP_() raise(SIGTRAP)
#else
#define PT_SIM_STOP_() PT_TRAP()
#endif

/* The number in a text of digits, up to 18446744073709551609; or 0. */
PT_API uint64_t pt_sim_number_(const char *text)
{
    uint64_t number = 0;

    for (; *text >= '0' && *text <= '9' && number <= (UINT64_MAX - 9) / 10; text++)
        number = 10 * number + (uint64_t)(*text - '0');
    return *text ? 0 : number;
}

/* What the environment says of this run. */
PT_API void pt_sim_record_open_(struct pt_sim_record_ *record)
{
    const char *choice = getenv("PT_CHOICE"), *path = getenv("PT_RECORD");

    if (choice)
        record->stop_at = (size_t)pt_sim_number_(choice);
    if (choice && !record->stop_at)
        fprintf(stderr, "pt_sim: PT_CHOICE=%s is not a number from 1 up\n", choice);
    record->file = path ? fopen(path, "r") : NULL;
    record->compares = record->file;
    if (path && !record->file)
        record->file = fopen(path, "w");
    if (path && !record->file)
        fprintf(stderr, "pt_sim: PT_RECORD=%s cannot be written\n", path);
}

/* Compare the LINE of a choice with the next one of the file. The first choice that differs becomes
 * *DIFFERS. */
PT_API void pt_sim_record_compare_(struct pt_sim_record_ *record, size_t *differs, size_t choice,
                                   const char *line)
{
    char recorded[160];

    if (*differs)
        return;
    if (!fgets(recorded, sizeof recorded, record->file))
        snprintf(recorded, sizeof recorded, "its end\n");
    if (!strcmp(recorded, line))
        return;
    *differs = choice;
    fprintf(stderr, "pt_sim: choice %lu differs from the record:\n    recorded: %s    now: %s",
            (unsigned long)choice, recorded, line);
}

/* Write the line of the next choice, or compare it; stop there if it is PT_CHOICE. */
PT_API void pt_sim_record_add_(struct pt_sim_record_ *record, size_t *differs, size_t choice,
                               const char *line)
{
    if (record->compares) {
        pt_sim_record_compare_(record, differs, choice, line);
    } else if (record->file) {
        fputs(line, record->file);
        fflush(record->file); /* the program may stop at the bug */
    }
    if (choice == record->stop_at) {
        fprintf(stderr, "pt_sim: PT_CHOICE=%s", line);
        PT_SIM_STOP_();
    }
}

/* The run is over, after CHOSEN choices. */
PT_API void pt_sim_record_close_(struct pt_sim_record_ *record, size_t *differs, size_t chosen)
{
    if (record->compares)
        pt_sim_record_compare_(record, differs, chosen + 1, "its end\n");
    if (record->file)
        fclose(record->file);
    if (record->stop_at > chosen)
        fprintf(stderr, "pt_sim: PT_CHOICE=%lu: the run had only %lu choices\n",
                (unsigned long)record->stop_at, (unsigned long)chosen);
    record->file = NULL;
    record->compares = false;
}

#endif
