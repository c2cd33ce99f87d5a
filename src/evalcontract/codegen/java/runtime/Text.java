package example.evalcontract;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Values as they stand in messages: bounded, safe to print, the same words in every language. */
final class Text {
    static final int LIMIT = 80;

    private Text() {}

    /** As much of a text as {@code limit} characters hold, with a mark that there is more. */
    static String cut(String text, int limit) {
        return text.codePointCount(0, text.length()) <= limit ? text : start(text, limit - 1) + "…";
    }

    static String start(String text, int count) {
        return text.codePointCount(0, text.length()) <= count
                ? text
                : text.substring(0, text.offsetByCodePoints(0, count));
    }

    /** Text from outside with what can't be printed as an escape. */
    static String visible(String text, int limit) {
        StringBuilder made = new StringBuilder();
        cut(text, limit).codePoints().forEach(found -> {
            if (isPrintable(found)) {
                made.appendCodePoint(found);
            } else {
                made.append(String.format(Locale.ROOT, "\\u%04x", found));
            }
        });
        return made.toString();
    }

    /** A value's type and, where that is short, the value. */
    static String actual(Object value) {
        if (value instanceof Boolean) {
            return "boolean " + value;
        }
        if (value instanceof Number number) {
            return (Numbers.isWhole(number) ? "integer " : "number ") + brief(value, LIMIT);
        }
        if (value instanceof String) {
            return "string " + brief(value, LIMIT - 7);
        }
        if (value instanceof List<?> list) {
            return "array of " + list.size();
        }
        Map<String, Object> members = Judge.members(value);
        if (members == null) {
            return value == null ? "null" : shown(String.valueOf(value));
        }
        String keys = members.keySet().stream().limit(LIMIT).collect(Collectors.joining(", "));
        return members.isEmpty() ? "empty object" : cut(visible("object with " + keys, 2000), LIMIT);
    }

    /** A value as JSON, at most {@code limit} characters; an array or object by what it holds. */
    static String brief(Object value, int limit) {
        if (value instanceof String text) {
            return cut(Json.write(start(text, limit + 1)), limit);
        }
        if (value instanceof Number number) {
            return cut(numeral(number), limit);
        }
        return value instanceof Boolean ? value.toString() : actual(value);
    }

    /** A name in quotes. */
    static String shown(String name) {
        String text = start(name, LIMIT + 1);
        char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
        StringBuilder made = new StringBuilder().append(quote);
        text.codePoints().forEach(found -> {
            switch (found) {
                case '\\' -> made.append("\\\\");
                case '\n' -> made.append("\\n");
                case '\r' -> made.append("\\r");
                case '\t' -> made.append("\\t");
                default -> {
                    if (found == quote) {
                        made.append('\\').append(quote);
                    } else if (isPrintable(found)) {
                        made.appendCodePoint(found);
                    } else {
                        String form = found < 0x100 ? "\\x%02x" : found < 0x10000 ? "\\u%04x" : "\\U%08x";
                        made.append(String.format(Locale.ROOT, form, found));
                    }
                }
            }
        });
        return cut(made.append(quote).toString(), LIMIT);
    }

    /** {@code prefix} and as many words as fit into one short line. */
    static String shortList(String prefix, List<String> words) {
        return cut(prefix + String.join(", ", words), LIMIT);
    }

    /** A double in the shortest form that gives it back, its exponent as the other languages write it. */
    static String numeral(Number number) {
        if (Numbers.isWhole(number)) {
            return number.toString();
        }
        double value = number.doubleValue();
        BigDecimal shortest = shortest(value);
        String digits = shortest.unscaledValue().abs().toString();
        int power = digits.length() - 1 - shortest.scale();
        String sign = value < 0 || 1 / value < 0 ? "-" : "";
        if (value == 0) {
            return sign + "0.0";
        }
        if (power >= -4 && power < 16) {
            String plain = shortest.abs().toPlainString();
            return sign + (plain.contains(".") ? plain : plain + ".0");
        }
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String form = power < 0 ? "%s%c%se-%02d" : "%s%c%se+%02d";
        return String.format(Locale.ROOT, form, sign, digits.charAt(0), fraction, Math.abs(power));
    }

    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int precision = 1; precision < 17; precision++) {
            BigDecimal rounded = exact.round(new MathContext(precision));
            if (rounded.doubleValue() == value) {
                return stripped(rounded);
            }
        }
        return stripped(exact.round(new MathContext(17)));
    }

    private static BigDecimal stripped(BigDecimal value) {
        BigDecimal bare = value.stripTrailingZeros();
        return bare.equals(BigDecimal.ZERO) ? new BigDecimal(BigInteger.ZERO) : bare;
    }

    /** Whether a character has a shape of its own: no control, no format, no unusual space. */
    private static boolean isPrintable(int found) {
        return found == ' ' || switch (Character.getType(found)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE,
                    Character.UNASSIGNED, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
