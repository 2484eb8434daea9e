/* script.c - one script of inputs for pt.c and hand.c: what is typed, and what the sensor does
 * SPDX-License-Identifier: MIT
 *
 * On the virtual board, with all its times. It prints what both do, when. */
#include "hardware.h"
#include "input.h"
#include "product.h"

#include <stdio.h>
#include <stdlib.h>

void pins_start(void);

static void note(const char *text)
{
    printf("%6lu %s\n", (unsigned long)board_now(), text);
}

/* --- the sensor ----------------------------------------------------------------------------- */

/* After how many ms a transfer ends, and after an abort lets go of its memory; 0: never. */
static const struct transfer_plan {
    uint16_t ends, lets_go;
    uint8_t value;
} plans[] = {
    {8, 1, 100}, {8, 1, 120},  {0, 3, 0},  {8, 1, 210},            /* a try fails */
    {8, 1, 195}, {8, 1, 189},  {0, 0, 0},  {0, 5, 0},   {0, 1, 0}, /* one hangs; all three fail */
    {8, 1, 150}, {49, 1, 151}, {8, 1, 80}, {8, 1, 81},  {40, 1, 82}, {8, 1, 83}, {0, 9, 0},
    {8, 1, 84},  {8, 1, 85},   {0, 3, 0},  {0, 3, 0},   {0, 15, 0},  {8, 1, 86}, {0, 1, 0},
    {8, 1, 87},  {8, 1, 88},   {0, 7, 0},  {8, 1, 89},  {8, 1, 90},
};

static struct {
    struct hardware hardware;
    uint8_t *to;
    size_t plan;
} sensor;

static const struct transfer_plan *plan(void)
{
    return &plans[sensor.plan % (sizeof plans / sizeof *plans)];
}

static void sensor_act(struct hardware *hardware)
{
    (void)hardware;
    for (uint8_t i = 0; i < SAMPLES; i++)
        sensor.to[i] = plan()->value;
    sensor.to = NULL;
    sensor.plan++;
    note("sensor: let go");
    sampler_done();
}

void sampler_start(uint8_t *to)
{
    note(sensor.to ? "sensor: STARTED TWICE" : "sensor: start");
    sensor.hardware.act = sensor_act;
    sensor.to = to;
    if (plan()->ends)
        hardware_at(&sensor.hardware, (pt_time)(board_now() + plan()->ends));
}

void sampler_abort(void)
{
    note("sensor: abort");
    if (sensor.to && plan()->lets_go)
        hardware_at(&sensor.hardware, (pt_time)(board_now() + plan()->lets_go));
}

void sampler_reset(void)
{
    note("sensor: reset");
    hardware_stop(&sensor.hardware);
    sensor.to = NULL;
    sensor.plan++;
}

/* --- what is typed, after a pause in milliseconds; a dot ends a line ------------------------ */

static const struct typed {
    uint16_t pause;
    const char *text;
} script[] = {
    {500, "help."},        {10, "status."},       {1000, "sta"},         {9999, "tus."},
    {3000, "sta"},         {10001, "tus."},       {300, "read."},        {705, "read."},
    {30, "status."},       {100, "rate 2."},      {10, "status."},       {2200, "rate 0."},
    {3, "rate 3601."},     {3, "rate 1x."},       {500, "read."},        {900, "read.s"},
    {500, "tatus."},       {1500, "read."},       {20, "rate 1."},       {1004, "rate 5."},
    {1, "status."},        {60, "reset."},        {1, "status."},        {9000, "rate 1\b2."},
    {2, "\b\b?."},         {4999, "read."},       {8, "status."},        {3000, "rate 1."},
    {3, "rate 1."},        {12, "rate 1."},       {6, "read."},          {1, "status."},
    {700, "rate 1.read."}, {1, "status."},        {30, "rate 1."},       {55, "rate 1."},
    {52, "rate 1."},       {2, "read."},          {60, "read."},         {40, "rate 1.read."},
    {900, "rate 1.read."}, {900, "rate 1.read."}, {900, "rate 1.read."}, {900, "rate 1.read."},
    {900, "status."},
};

static struct {
    struct hardware hardware;
    size_t step;
} typist;

static void typist_act(struct hardware *hardware)
{
    const struct typed *now = &script[typist.step++];

    printf("%6lu > %s\n", (unsigned long)board_now(), now->text);
    for (const char *text = now->text; *text; text++)
        input_received(*text == '.' ? '\n' : (uint8_t)*text);
    if (typist.step < sizeof script / sizeof *script)
        hardware_at(hardware, (pt_time)(board_now() + script[typist.step].pause));
    else
        exit(0);
}

void pins_start(void)
{
    typist.hardware.act = typist_act;
    hardware_at(&typist.hardware, (pt_time)(board_now() + script[0].pause));
}

void board_led(uint8_t led, bool on)
{
    (void)led;
    note(on ? "alarm on" : "alarm off");
}

bool board_button(void)
{
    return false;
}
