package dev.gavel.mcpx;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;

/** Validates and formats RFC 3339 timestamps. */
final class Rfc3339Format {
    private static final int MAX_LENGTH = 64;
    private static final byte[] TEMPLATE = "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.US_ASCII);
    private static final long DAY = 86_400;
    private static final long YEAR_0 = LocalDate.of(0, 1, 1).toEpochDay() * DAY;
    private static final long YEAR_10000 = LocalDate.of(10_000, 1, 1).toEpochDay() * DAY;

    private Rfc3339Format() {}

    /** Whether the text is a date-time of RFC 3339, section 5.6. */
    static boolean isValid(String text) {
        if (text.length() < 20 || text.length() > MAX_LENGTH) {
            return false;
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 2);
        int day = number(text, 8, 2);
        boolean date = year >= 0
                && text.charAt(4) == '-'
                && month >= 1
                && month <= 12
                && text.charAt(7) == '-'
                && day >= 1
                && (day <= 28 || day <= YearMonth.of(year, month).lengthOfMonth());
        return date
                && (text.charAt(10) | 0x20) == 't'
                && isTime(text, 11)
                && text.charAt(13) == ':'
                && isFractionAndZone(text);
    }

    private static boolean isTime(String text, int at) {
        return isNumberUpTo(text, at, 23)
                && isNumberUpTo(text, at + 3, 59)
                && text.charAt(at + 5) == ':'
                // 60 is a leap second.
                && isNumberUpTo(text, at + 6, 60);
    }

    private static boolean isFractionAndZone(String text) {
        int at = 19;
        if (text.charAt(at) == '.') {
            int digits = ++at;
            while (at < text.length() && digit(text.charAt(at)) >= 0) {
                at++;
            }
            if (at == digits || at == text.length()) {
                return false;
            }
        }
        char zone = text.charAt(at);
        if (zone == 'Z' || zone == 'z') {
            return at + 1 == text.length();
        }
        return (zone == '+' || zone == '-')
                && at + 6 == text.length()
                && isNumberUpTo(text, at + 1, 23)
                && text.charAt(at + 3) == ':'
                && isNumberUpTo(text, at + 4, 59);
    }

    private static boolean isNumberUpTo(String text, int at, int highest) {
        int number = number(text, at, 2);
        return number >= 0 && number <= highest;
    }

    private static int number(String text, int at, int digits) {
        int number = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = digit(text.charAt(i));
            if (digit < 0) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    private static int digit(char c) {
        return c >= '0' && c <= '9' ? c - '0' : -1;
    }

    /**
     * Formats an instant with milliseconds, in ASCII. Hand-written for speed, because every forwarded envelope may need
     * it.
     */
    static byte[] format(Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds < YEAR_0 || seconds >= YEAR_10000) {
            return instant.toString().getBytes(StandardCharsets.US_ASCII);
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, DAY));
        int time = (int) Math.floorMod(seconds, DAY);
        byte[] text = TEMPLATE.clone();
        put(text, 0, 4, date.getYear());
        put(text, 5, 2, date.getMonthValue());
        put(text, 8, 2, date.getDayOfMonth());
        put(text, 11, 2, time / 3600);
        put(text, 14, 2, time / 60 % 60);
        put(text, 17, 2, time % 60);
        put(text, 20, 3, instant.getNano() / 1_000_000);
        return text;
    }

    private static void put(byte[] text, int at, int digits, int number) {
        int rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
