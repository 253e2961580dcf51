package dev.gavel.mcpx.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Writes JSON values in the canonical form of RFC 8785 (JSON Canonicalization Scheme), so that equal values have equal
 * bytes and can be compared by a digest. Stateless.
 */
public final class CanonicalJsonWriter {
    /** The exponents between which ECMAScript writes a number without an exponent. */
    private static final int MIN_PLAIN_EXPONENT = -7;

    private static final int MAX_PLAIN_EXPONENT = 21;

    private CanonicalJsonWriter() {}

    /**
     * Returns the canonical form of a value: no whitespace, sorted names, numbers as ECMAScript writes them. A number
     * that is too large for ECMAScript stays as it is, so that the result is always JSON.
     */
    public static String write(Json value) {
        StringBuilder output = new StringBuilder();
        write(value, CanonicalJsonWriter::canonicalNumber, output);
        return output.toString();
    }

    /** Returns the canonical form of an object with these members, except that all numbers stay as they are. */
    public static String writeWithNumbersAsSent(Map<String, Json> members) {
        StringBuilder output = new StringBuilder();
        writeObject(members, UnaryOperator.identity(), output);
        return output.toString();
    }

    private static void write(Json value, UnaryOperator<String> numbers, StringBuilder output) {
        switch (value.type()) {
            case OBJECT -> writeObject(value.members(), numbers, output);
            case ARRAY -> {
                output.append('[');
                String before = "";
                for (Json element : value.elements()) {
                    output.append(before);
                    write(element, numbers, output);
                    before = ",";
                }
                output.append(']');
            }
            case TEXT -> text(value.text(), output);
            case NUMBER -> output.append(numbers.apply(value.text()));
            case BOOLEAN -> output.append(value.text());
            case NULL -> output.append("null");
            case MISSING -> throw new IllegalArgumentException("there is no value to write");
        }
    }

    private static void writeObject(Map<String, Json> members, UnaryOperator<String> numbers, StringBuilder output) {
        output.append('{');
        String before = "";
        // A TreeMap compares strings by UTF-16 code units, as the RFC asks.
        for (Map.Entry<String, Json> member : new TreeMap<>(members).entrySet()) {
            output.append(before);
            text(member.getKey(), output);
            output.append(':');
            write(member.getValue(), numbers, output);
            before = ",";
        }
        output.append('}');
    }

    private static void text(String text, StringBuilder output) {
        output.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> output.append("\\\"");
                case '\\' -> output.append("\\\\");
                case '\b' -> output.append("\\b");
                case '\f' -> output.append("\\f");
                case '\n' -> output.append("\\n");
                case '\r' -> output.append("\\r");
                case '\t' -> output.append("\\t");
                default -> {
                    if (c < 0x20) {
                        output.append(String.format("\\u%04x", (int) c));
                    } else {
                        output.append(c);
                    }
                }
            }
        }
        output.append('"');
    }

    /** Java writes at least two digits, and then prefers the nearest two-digit number to one with a single digit. */
    private static BigDecimal shortest(double number) {
        BigDecimal value = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        if (value.precision() == 2) {
            for (RoundingMode mode : new RoundingMode[] {RoundingMode.HALF_UP, RoundingMode.DOWN, RoundingMode.UP}) {
                BigDecimal rounded = value.round(new MathContext(1, mode)).stripTrailingZeros();
                if (rounded.doubleValue() == number) {
                    return rounded;
                }
            }
        }
        return value;
    }

    /** Formats a number as ECMAScript does. Java finds the same shortest digits, but writes them differently. */
    private static String canonicalNumber(String text) {
        double number = Double.parseDouble(text);
        if (number == 0) {
            return "0";
        }
        if (Double.isInfinite(number)) {
            return text;
        }
        BigDecimal value = shortest(Math.abs(number));
        String digits = value.unscaledValue().toString();
        // The position of the decimal point relative to the first digit.
        int point = digits.length() - value.scale();
        String sign = number < 0 ? "-" : "";
        if (point > MAX_PLAIN_EXPONENT || point <= MIN_PLAIN_EXPONENT + 1) {
            int exponent = point - 1;
            return sign + digits.charAt(0) + (digits.length() > 1 ? "." + digits.substring(1) : "") + "e"
                    + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
        }
        if (point <= 0) {
            return sign + "0." + "0".repeat(-point) + digits;
        }
        return point >= digits.length()
                ? sign + digits + "0".repeat(point - digits.length())
                : sign + digits.substring(0, point) + "." + digits.substring(point);
    }
}
