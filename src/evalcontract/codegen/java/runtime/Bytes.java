package example.evalcontract;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** What is seen of a text before its grammar is looked at: marks, encoding, whether there is anything. */
final class Bytes {
    private static final byte[] LFS = "version https://git-lfs.github.com/spec/".getBytes(StandardCharsets.UTF_8);

    private Bytes() {}

    static byte[] withoutMark(byte[] text) {
        boolean marked = text.length >= 3 && text[0] == (byte) 0xef && text[1] == (byte) 0xbb && text[2] == (byte) 0xbf;
        return marked ? Arrays.copyOfRange(text, 3, text.length) : text;
    }

    static void refuseNoData(byte[] text) {
        if (isBlank(text)) {
            throw new ReadException("empty-file", "the file holds no data", 1, 1);
        }
        if (text.length >= LFS.length && Arrays.equals(text, 0, LFS.length, LFS, 0, LFS.length)) {
            String what = "the file is a Git LFS pointer, its data was not fetched";
            throw new ReadException("lfs-pointer", what, 1, 1);
        }
    }

    static boolean isBlank(byte[] text) {
        for (byte found : text) {
            if (!isBlank(found)) {
                return false;
            }
        }
        return true;
    }

    static boolean isBlank(int found) {
        return found == ' ' || found == '\t' || found == '\r' || found == '\n';
    }

    /** The text of strict UTF-8, whose first line has this number. */
    static String decoded(byte[] text, int line) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer from = ByteBuffer.wrap(text);
        CharBuffer to = CharBuffer.allocate(text.length);
        CoderResult result = decoder.decode(from, to, true);
        String good = to.flip().toString();
        if (!result.isError()) {
            return good;
        }
        int lead = text[from.position()] & 0xff;
        int size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        boolean plausible = lead >= 0xc2 && lead <= 0xf4 && from.remaining() < size;
        boolean half = lead == 0xed && from.remaining() > 1 && (text[from.position() + 1] & 0xe0) == 0xa0;
        if (plausible && !half && result.length() == from.remaining()) {
            throw refusal(good, line, good.length(), "truncated", "the text ends inside a character");
        }
        String what = half
                ? "a lone surrogate encoded as UTF-8"
                : String.format(Locale.ROOT, "byte 0x%02x is not valid UTF-8 here", lead);
        throw refusal(good, line, good.length(), "invalid-utf8", what);
    }

    /** The refusal of what stands at an offset of a text. */
    static ReadException refusal(String text, int line, int offset, String code, String reason) {
        String before = text.substring(0, offset);
        int ends = (int) before.chars().filter(found -> found == '\n').count();
        int start = before.lastIndexOf('\n') + 1;
        return new ReadException(code, reason, line + ends, before.codePointCount(start, before.length()) + 1);
    }
}
