package example.evalcontract;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The strict scanner: it says what is wrong with a text, and where. */
final class Scanner {
    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][-+]?[0-9]++)?");
    private static final Pattern UNFINISHED_NUMBER =
            Pattern.compile("-?(?:[0-9]++(?:\\.[0-9]*+)?(?:[eE][-+]?)?)?");
    private static final Pattern UNFINISHED_ESCAPE = Pattern.compile(
            "\\\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\\\(?:u[0-9a-fA-F]{0,3})?)?)?");
    private static final Pattern WORD = Pattern.compile("[-+.0-9a-zA-Z_]{1,80}");
    private static final Set<String> NOT_FINITE =
            Set.of("NaN", "-NaN", "Infinity", "-Infinity", "+Infinity", "nan", "inf", "-inf");
    private static final String SIMPLE_ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private final int line;
    private int at;
    private int depth;

    private Scanner(String text, int line) {
        this.text = text;
        this.line = line;
    }

    static Object read(byte[] text) {
        byte[] data = Bytes.withoutMark(text);
        Bytes.refuseNoData(data);
        return scan(data, 1);
    }

    /** The value of a text whose first line has this number. */
    static Object scan(byte[] text, int line) {
        Scanner scanner = new Scanner(Bytes.decoded(text, line), line);
        Object value = scanner.value();
        int following = scanner.peek();
        if (following == 0xfeff) {
            throw scanner.unexpected("the end");
        }
        if (following != -1) {
            String what = "more after the end of the value: \"" + Text.visible(scanner.word(), 40) + "\"";
            throw scanner.refusal("trailing-content", what);
        }
        return value;
    }

    private ReadException refusal(String code, String reason) {
        return Bytes.refusal(text, line, at, code, reason);
    }

    private ReadException cutOff(int offset, String place) {
        return Bytes.refusal(text, line, offset, "truncated", "the text ends " + place);
    }

    /** The next character that is no white space; -1 at the end. */
    private int peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : -1;
    }

    private Object value() {
        int opening = peek();
        if (opening == '{' || opening == '[') {
            int deepest = Table.get().maxDepth();
            if (depth >= deepest) {
                throw refusal("too-deep", "nested deeper than " + deepest + " levels");
            }
            depth++;
            at++;
            Object value = opening == '{' ? object() : array();
            depth--;
            return value;
        }
        if (opening == '"') {
            return string();
        }
        return opening == '-' || (opening >= '0' && opening <= '9') ? number() : literal();
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        if (peek() == ']') {
            at++;
            return elements;
        }
        do {
            elements.add(value());
        } while (goesOn(']'));
        return elements;
    }

    private Map<String, Object> object() {
        int inside = at;
        Map<String, Object> members = new LinkedHashMap<>();
        if (peek() == '}') {
            at++;
            return members;
        }
        do {
            int start = atKey();
            String key = string();
            if (members.containsKey(key)) {
                throw duplicate(key, inside, start);
            }
            members.put(key, member());
        } while (goesOn('}'));
        return members;
    }

    private int atKey() {
        if (peek() != '"') {
            throw unexpected("a property name in double quotes");
        }
        return at;
    }

    /** The value behind a key. */
    private Object member() {
        if (peek() != ':') {
            throw unexpected("':'");
        }
        at++;
        return value();
    }

    /** The refusal of a key at {@code start} that stands before in the object that begins at {@code inside}. */
    private ReadException duplicate(String key, int inside, int start) {
        at = inside;
        int first = atKey();
        while (!string().equals(key)) {
            member();
            goesOn('}');
            first = atKey();
        }
        ReadException place = Bytes.refusal(text, line, first, "", "");
        String what = "duplicate key \"" + Text.visible(key, 80) + "\"";
        what += ", first at line " + place.line() + ", column " + place.column();
        return Bytes.refusal(text, line, start, "duplicate-key", what);
    }

    /** Whether a comma follows; false behind the closing bracket. */
    private boolean goesOn(char closing) {
        int following = peek();
        int here = at;
        if (following != ',' && following != closing) {
            throw unexpected("',' or '" + closing + "'");
        }
        at++;
        if (following == ',' && peek() == closing) {
            throw Bytes.refusal(text, line, here, "syntax", "a comma before '" + closing + "'");
        }
        return following == ',';
    }

    private String string() {
        int start = at++;
        StringBuilder made = new StringBuilder();
        while (true) {
            int from = at;
            while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= ' ') {
                at++;
            }
            made.append(text, from, at);
            if (at == text.length()) {
                throw cutOff(start, "inside a string");
            }
            char found = text.charAt(at);
            if (found == '"') {
                at++;
                return made.toString();
            }
            if (found != '\\') {
                String what = String.format(Locale.ROOT, "a raw control character U+%04X inside a string", (int) found);
                throw refusal("syntax", what);
            }
            escape(start, made);
        }
    }

    private void escape(int start, StringBuilder made) {
        int simple = at + 1 < text.length() ? SIMPLE_ESCAPES.indexOf(text.charAt(at + 1)) : -1;
        if (simple >= 0) {
            made.append(ESCAPED.charAt(simple));
            at += 2;
            return;
        }
        int unit = unit(at);
        int low = Character.isHighSurrogate((char) unit) ? unit(at + 6) : -1;
        boolean pair = unit >= 0 && low >= 0 && Character.isLowSurrogate((char) low);
        if (unit >= 0 && (pair || !Character.isSurrogate((char) unit))) {
            made.append((char) unit);
            at += 6;
            if (pair) {
                made.append((char) low);
                at += 6;
            }
            return;
        }
        Matcher unfinished = UNFINISHED_ESCAPE.matcher(text).region(at, text.length());
        if (unfinished.matches()) {
            throw cutOff(start, "inside a string");
        }
        if (unit >= 0) {
            throw refusal("lone-surrogate", "a lone surrogate " + text.substring(at, at + 6) + " is half a character");
        }
        if (text.charAt(at + 1) == 'u') {
            throw refusal("syntax", "\\u must be followed by four hexadecimal digits");
        }
        String letter = Character.toString(text.codePointAt(at + 1));
        throw refusal("syntax", "an unknown escape \\" + Text.visible(letter, 1) + " in a string");
    }

    /** The value of an escape with four hexadecimal digits at an offset; -1 when there is none. */
    private int unit(int offset) {
        if (offset + 6 > text.length() || !text.startsWith("\\u", offset)) {
            return -1;
        }
        int unit = 0;
        for (char digit : text.substring(offset + 2, offset + 6).toCharArray()) {
            int value = digit < 0x80 ? Character.digit(digit, 16) : -1;
            if (value < 0) {
                return -1;
            }
            unit = unit * 16 + value;
        }
        return unit;
    }

    private Number number() {
        Matcher found = NUMBER.matcher(text).region(at, text.length());
        if (!found.lookingAt() || goesOnAsWord(found.end())) {
            throw notANumber();
        }
        String digits = found.group();
        double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            String shown = Text.visible(digits, 40);
            String what = shown + " is too large for a number: it would become Infinity";
            throw refusal("not-finite", what);
        }
        at = found.end();
        if (found.group(1) != null || found.group(2) != null) {
            return value;
        }
        BigInteger whole = new BigInteger(digits);
        if (whole.bitLength() < Long.SIZE) {
            return whole.longValue();
        }
        return whole;
    }

    private boolean goesOnAsWord(int end) {
        return end < text.length() && WORD.matcher(text).region(end, end + 1).matches();
    }

    private ReadException notANumber() {
        if (UNFINISHED_NUMBER.matcher(text).region(at, text.length()).matches()) {
            return cutOff(at, "inside a number");
        }
        String word = word();
        return NOT_FINITE.contains(word)
                ? refusal("not-finite", word + " is not JSON")
                : refusal("syntax", Text.visible(word, 80) + " is not a JSON number");
    }

    private Boolean literal() {
        for (String name : List.of("true", "false", "null")) {
            if (text.startsWith(name, at)) {
                at += name.length();
                return name.equals("null") ? null : Boolean.valueOf(name);
            }
        }
        String word = word();
        if (NOT_FINITE.contains(word)) {
            throw refusal("not-finite", word + " is not JSON");
        }
        boolean last = !word.isEmpty() && at + word.length() == text.length();
        if (last && List.of("true", "false", "null").stream().anyMatch(name -> name.startsWith(word))) {
            throw cutOff(at, "inside a value");
        }
        throw unexpected("a value");
    }

    /** The word or number that begins here, else the one character. */
    private String word() {
        Matcher found = WORD.matcher(text).region(at, text.length());
        if (found.lookingAt()) {
            return found.group();
        }
        return at < text.length() ? Character.toString(text.codePointAt(at)) : "";
    }

    private ReadException unexpected(String expected) {
        String word = word();
        if (word.isEmpty()) {
            return cutOff(at, "where " + expected + " should be");
        }
        if (word.equals("\ufeff")) {
            return refusal("bom-in-the-middle", "a byte order mark in the middle of the file");
        }
        return refusal("syntax", expected + " expected, found \"" + Text.visible(word, 40) + "\"");
    }
}
