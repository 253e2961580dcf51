package dev.gavel.web.console.page;

/** Renders the console's browser tab icon with the number of waiting items. Stateless. */
public final class FaviconRenderer {
    /** The URL path of the icon, to which the number is appended. */
    public static final String PATH = "/console/icon/";

    private static final int MAX_COUNT = 99;

    private FaviconRenderer() {}

    /**
     * Returns the icon with a number. Numbers with more than two digits are shown as {@code 99+}, because more digits
     * are not readable.
     */
    public static String withCount(int count) {
        String plain = ConsoleAssets.text("icon.svg").strip();
        if (count <= 0) {
            return plain;
        }
        String number = count > MAX_COUNT ? MAX_COUNT + "+" : Integer.toString(count);
        int size = number.length() == 1 ? 15 : number.length() == 2 ? 13 : 10;
        return plain.replace(
                "</svg>",
                "<circle cx=\"21.5\" cy=\"21.5\" r=\"10.5\" fill=\"#c2281d\"/><text x=\"21.5\" y=\"22\" fill=\"#fff\""
                        + " font-family=\"sans-serif\" font-weight=\"700\" font-size=\"" + size
                        + "\" text-anchor=\"middle\" dominant-baseline=\"central\">" + number + "</text></svg>");
    }
}
