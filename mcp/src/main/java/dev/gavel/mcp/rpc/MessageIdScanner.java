package dev.gavel.mcp.rpc;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the id of a response in a JSON-RPC message that cannot be parsed, because it is too long, nested too deeply or
 * not valid UTF-8. Reads the message in pieces and keeps only its id. Text that is no JSON-RPC message, such as a log line
 * with an id, has no response id. Not thread-safe.
 */
public final class MessageIdScanner {
    private static final int MAX_TOKEN_LENGTH = 128;
    private static final Pattern ID = Pattern.compile("-?[0-9][0-9.eE+-]*|\"[^\"]*\"");

    /** The name or value of the top-level member that is being read. */
    private final StringBuilder token = new StringBuilder();

    private int depth;
    private boolean finished;
    private boolean inString;
    private boolean escaped;
    private @Nullable String name;
    private @Nullable String id;
    private boolean hasMethod;

    /** Whether the message has the field 'jsonrpc' or 'result', which log lines in JSON do not have. */
    private boolean isRpc;

    /** Reads the next bytes of the message. Only white space may precede its opening brace. */
    public void scan(byte[] bytes, int start, int end) {
        for (int index = start; index < end && !finished; index++) {
            scan((char) (bytes[index] & 0xFF));
        }
    }

    /** Returns the id as raw JSON if the message is a response and has one. */
    public Optional<String> responseId() {
        return hasMethod || !isRpc ? Optional.empty() : Optional.ofNullable(id);
    }

    /** Whether the message has a method, so that it is a request or a notification. */
    public boolean hasMethod() {
        return hasMethod;
    }

    private void scan(char c) {
        if (depth == 0) {
            depth = c == '{' ? 1 : 0;
            finished = depth == 0 && c > ' ';
        } else if (inString) {
            append(c);
            inString = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else {
            scanOutsideString(c);
        }
    }

    private void scanOutsideString(char c) {
        switch (c) {
            case '"' -> {
                inString = true;
                append(c);
            }
            case '{', '[' -> {
                append(c);
                depth++;
            }
            case '}', ']' -> {
                depth--;
                if (depth == 0) {
                    endMember();
                    finished = true;
                }
            }
            case ':' -> {
                if (depth == 1 && name == null) {
                    name = token.toString();
                    isRpc |= name.equals("\"jsonrpc\"") || name.equals("\"result\"");
                    token.setLength(0);
                }
            }
            case ',' -> {
                if (depth == 1) {
                    endMember();
                }
            }
            case ' ', '\t', '\r', '\n' -> {}
            default -> append(c);
        }
    }

    private void append(char c) {
        if (depth == 1 && token.length() <= MAX_TOKEN_LENGTH) {
            token.append(c);
        }
    }

    private void endMember() {
        if ("\"method\"".equals(name)) {
            hasMethod = true;
        } else if ("\"id\"".equals(name) && id == null && isId(token)) {
            id = token.toString();
        }
        name = null;
        token.setLength(0);
    }

    private static boolean isId(CharSequence token) {
        return token.length() <= MAX_TOKEN_LENGTH && ID.matcher(token).matches();
    }
}
