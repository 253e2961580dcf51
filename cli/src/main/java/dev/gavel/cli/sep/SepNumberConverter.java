package dev.gavel.cli.sep;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a SEP number such as 1286, SEP-1286 or #1286 for picocli. Stateless. */
final class SepNumberConverter implements ITypeConverter<Integer> {
    private static final Pattern PATTERN = Pattern.compile("(?i)(?:[a-z]{1,20}[- ]?|#)?0*(\\d{1,9})");

    @Override
    public Integer convert(String text) {
        Matcher matcher = PATTERN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not the number of a proposal; use a number such as 1286");
        }
        return Integer.valueOf(matcher.group(1));
    }
}
