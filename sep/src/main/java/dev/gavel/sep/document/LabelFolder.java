package dev.gavel.sep.document;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;
import org.owasp.html.Encoding;

/**
 * Folds a label to what a reader takes it for: without HTML tags and invisible characters, with character references
 * resolved, and with Latin letters in place of letters that look like them. Stateless.
 */
final class LabelFolder {
    private static final Pattern TAG = Pattern.compile("</?[A-Za-z][^<>]{0,100}>");
    private static final Pattern NOT_VISIBLE = Pattern.compile("[\\p{M}\\p{Cf}\\p{Cc}]");

    /** Lower-case letters of other alphabets, and small capitals. */
    private static final String LOOKALIKES = "аαаɑᴀЬƄсϲᴄԁеєҽɡһіιıɩјϳкκᴋӏмᴍпηոռɴоοօᴏөрρᴘԛզгʀᴦѕꜱтτᴛυսᴜцѵνᴠԝωᴡхχуγүᴢ";

    /** The letter that each of them looks like. */
    private static final String LATIN = "aaaaabbcccdeeeghiiiijjkkklmmnnnnnooooopppqqrrrsstttuuuuvvvwwwxxyyyz";

    private LabelFolder() {}

    /** Returns the label in lower case. */
    static String fold(String label) {
        String words = TAG.matcher(Encoding.decodeHtml(label, false)).replaceAll("");
        String visible = NOT_VISIBLE
                .matcher(Normalizer.normalize(words, Normalizer.Form.NFKD))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
        StringBuilder folded = new StringBuilder(visible.length());
        for (int i = 0; i < visible.length(); i++) {
            int index = LOOKALIKES.indexOf(visible.charAt(i));
            folded.append(index < 0 ? visible.charAt(i) : LATIN.charAt(index));
        }
        return folded.toString();
    }
}
