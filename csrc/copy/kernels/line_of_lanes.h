/* A cache line in registers, for CPU targets whose vectors have 16 bytes. Include with TARGET, lane, load_lane,
 * store_lane16 and stream_lane. */
typedef struct {
    lane lanes[4];
} line;

INLINE TARGET line
load_line(const char *from)
{
    return (line){{load_lane(from), load_lane(from + 16), load_lane(from + 32), load_lane(from + 48)}};
}

INLINE TARGET void
store_line(char *to, line v)
{
    UNROLL
    for (int k = 0; k < 4; k++) {
        store_lane16(to + 16 * k, v.lanes[k]);
    }
}

/* A line of copies of a lane. */
INLINE TARGET line
repeat_lane(lane v)
{
    return (line){{v, v, v, v}};
}

/* A line of two copies of 32 bytes. */
INLINE TARGET line
repeat_half_line(const char *from)
{
    const lane low = load_lane(from), high = load_lane(from + 16);
    return (line){{low, high, low, high}};
}

INLINE TARGET lane
first_lane(line v)
{
    return v.lanes[0];
}

INLINE TARGET void
store_half_line(char *to, line v)
{
    store_lane16(to, v.lanes[0]);
    store_lane16(to + 16, v.lanes[1]);
}

INLINE TARGET void
stream_line(char *to, line v)
{
    UNROLL
    for (int k = 0; k < 4; k++) {
        stream_lane(to + 16 * k, v.lanes[k]);
    }
}

INLINE TARGET void
copy32(char *to, const char *from)
{
    copy16(to, from);
    copy16(to + 16, from + 16);
}
