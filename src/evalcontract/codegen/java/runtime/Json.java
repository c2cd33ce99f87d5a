package example.evalcontract;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Strict JSON. Values are {@code Map<String, Object>} in the order of the text, {@code List<Object>}, {@code String},
 * {@code Boolean}, null, and numbers: {@code Long} or, beyond 64 bits, {@code BigInteger} when written without a
 * fraction and an exponent, else {@code Double}.
 */
public final class Json {
    private static final int DEEPEST_WRITTEN = 1000;

    private Json() {}

    /**
     * The value of one strict JSON text in UTF-8; a byte order mark at its start is passed over.
     *
     * <p>Refused are duplicate keys, numbers that no double can hold, lone surrogates, bad UTF-8, more nesting than the
     * contracts allow, and an empty text.
     *
     * @throws ReadException when the text is not strict JSON
     */
    public static Object read(byte[] text) {
        return Scanner.read(text);
    }

    /** The same for text that was decoded before. */
    public static Object read(String text) {
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            if (Character.getType(text.codePointAt(at)) == Character.SURROGATE) {
                throw Bytes.refusal(text, 1, at, "lone-surrogate", "a lone surrogate is half a character");
            }
        }
        return Scanner.read(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The JSON text of a value or of a document, on one line.
     *
     * @throws IllegalArgumentException for what is not JSON: NaN, lone surrogates, objects of other classes, a cycle
     */
    public static String write(Object value) {
        StringBuilder made = new StringBuilder();
        write(value, made, null, 0);
        return made.toString();
    }

    /** The same over several lines, each level indented by {@code indent} spaces. */
    public static String write(Object value, int indent) {
        StringBuilder made = new StringBuilder();
        write(value, made, " ".repeat(indent), 0);
        return made.toString();
    }

    private static void write(Object value, StringBuilder made, String indent, int depth) {
        if (depth > DEEPEST_WRITTEN) {
            throw new IllegalArgumentException("the value is nested too deep, or holds itself");
        }
        Map<String, Object> members = Judge.members(value);
        if (members != null) {
            String separator = "{";
            for (Map.Entry<String, Object> member : members.entrySet()) {
                line(made.append(separator), indent, depth + 1);
                string(member.getKey(), made);
                made.append(indent == null ? ":" : ": ");
                write(member.getValue(), made, indent, depth + 1);
                separator = ",";
            }
            close(made, members.isEmpty(), "{}", indent, depth);
        } else if (value instanceof List<?> elements) {
            String separator = "[";
            for (Object element : elements) {
                line(made.append(separator), indent, depth + 1);
                write(element, made, indent, depth + 1);
                separator = ",";
            }
            close(made, elements.isEmpty(), "[]", indent, depth);
        } else if (value instanceof String text) {
            string(text, made);
        } else if (value instanceof Number number && Numbers.isFinite(number)) {
            made.append(number instanceof BigDecimal ? number : Text.numeral(number));
        } else if (value == null || value instanceof Boolean) {
            made.append(value);
        } else {
            throw new IllegalArgumentException(Text.shown(value.toString()) + " is not a JSON value");
        }
    }

    private static void close(StringBuilder made, boolean empty, String brackets, String indent, int depth) {
        if (empty) {
            made.append(brackets);
        } else {
            line(made, indent, depth);
            made.append(brackets.charAt(1));
        }
    }

    private static void line(StringBuilder made, String indent, int depth) {
        if (indent != null) {
            made.append('\n').append(indent.repeat(depth));
        }
    }

    private static void string(String text, StringBuilder made) {
        made.append('"');
        for (int at = 0; at < text.length(); at++) {
            char found = text.charAt(at);
            switch (found) {
                case '"' -> made.append("\\\"");
                case '\\' -> made.append("\\\\");
                case '\n' -> made.append("\\n");
                case '\r' -> made.append("\\r");
                case '\t' -> made.append("\\t");
                case '\b' -> made.append("\\b");
                case '\f' -> made.append("\\f");
                default -> {
                    if (found < ' ') {
                        made.append(String.format("\\u%04x", (int) found));
                    } else if (Character.isSurrogate(found)) {
                        boolean pair = Character.isHighSurrogate(found)
                                && at + 1 < text.length()
                                && Character.isLowSurrogate(text.charAt(at + 1));
                        if (!pair) {
                            throw new IllegalArgumentException("a string with a lone surrogate is not a JSON value");
                        }
                        made.append(found).append(text.charAt(++at));
                    } else {
                        made.append(found);
                    }
                }
            }
        }
        made.append('"');
    }
}
