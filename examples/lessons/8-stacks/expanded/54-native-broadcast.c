/* expanded/54-native-broadcast.c - the bodies of lesson 54, their operations expanded by hand
 * SPDX-License-Identifier: MIT
 *
 *     pt_native_wait                a deadline for the task, and the opcode WAIT
 *     pt_native_wait_broadcast      compare two counts: wait if they are equal, else copy a value
 *     pt_native_select_now          the steps of PT_SELECT_NOW, in the frame of pt_native */

#define SAY(...) \
    (printf("%2u h  ", (unsigned)(pt_now_(self->task) / HOURS(1))), printf(__VA_ARGS__))

static pt_status market(struct pt_native *self)
{
    for (int i = 1; i <= PRICES; i++) {
        pt_broadcast_send(&prices, 100 * i);
        pt_latest_set(&temperature, 10 + i);
        pt_native_sleep_(self, HOURS(1));
    }
    pt_event_set(&closed);
    return PT_OK;
}

static pt_status cashier(struct pt_native *self)
{
    struct pt_subscriber me;
    int price = 0;

    pt_subscribe(&prices, &me);
    while (price < 100 * PRICES) {
        if (pt_native_wait_broadcast(self, &prices, &me, &price) == PT_EOVERRUN)
            SAY("%u missed\n", me.missed);
        SAY("the price is %d\n", price);
        if (price == 100)
            pt_native_sleep_(self, HOURS(4)); /* a long lunch */
    }
    return PT_OK;
}

static pt_status gardener(struct pt_native *self)
{
    PT_SELECTION(1) look;
    unsigned seen = 0;

    pt_select_init(&look);
    do {
        pt_native_wait_latest(self, &temperature, &seen);
        SAY("        it has %d degrees\n", temperature.value);
        pt_native_sleep_(self, HOURS(2));
        pt_native_select_now(self, &look, PT_CASE_EVENT(&closed));
    } while (PT_SELECTED(&look) == PT_SELECT_NONE);
    SAY("        the market is closed\n");
    return PT_OK;
}
