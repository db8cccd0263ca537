/* Copies of 32 and 64 bytes, for CPU targets whose vectors have 16 bytes. */

INLINE TARGET void
copy32(char *to, const char *from)
{
    copy16(to, from);
    copy16(to + 16, from + 16);
}

INLINE TARGET void
copy64(char *to, const char *from)
{
    copy32(to, from);
    copy32(to + 32, from + 32);
}

INLINE TARGET void
stream64(char *to, const char *from)
{
    for (int k = 0; k < 64; k += 16) {
        x1_stream(to + k, load_lane(from + k));
    }
}
