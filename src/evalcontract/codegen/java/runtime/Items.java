package example.evalcontract;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.NoSuchElementException;

/**
 * An iterator over the evaluation items of JSON Lines, which holds one line in memory. Each is judged by the schema type
 * that it or its dataset declares.
 *
 * <p>Lines end at {@code \n} alone and blank ones are skipped. After a line that can't be read it goes on with the next.
 * A source without any item is a fault, as is a line of more than 256 MiB.
 */
public final class Items implements Iterator<Items.Line>, AutoCloseable {
    private static final int LONGEST = 256 << 20;

    /**
     * A line that holds an item.
     *
     * @param number the number of the line, from 1; blank lines count
     * @param item the item; null when it can't be read
     * @param fault why it can't be read, with a position in the whole file; null when it can
     * @param verdict what was found about the item; null when it can't be read
     */
    public record Line(int number, Object item, ReadException fault, Verdict verdict) {
        /** Whether the line holds an item that keeps its contract. */
        public boolean isValid() {
            return verdict != null && verdict.isValid();
        }
    }

    private final InputStream source;
    private final Object datasetMetadata;
    private final int longest;
    private int number;
    private boolean started;
    private boolean ended;
    private boolean cut;
    private Line next;

    /** The items of a source. */
    public Items(InputStream source) {
        this(source, null);
    }

    /** The items of a source that belong to a dataset with this metadata. */
    public Items(InputStream source, Object datasetMetadata) {
        this(source, datasetMetadata, LONGEST);
    }

    /** The same with another limit to the length of a line in bytes. */
    public Items(InputStream source, Object datasetMetadata, int longest) {
        this.source = new BufferedInputStream(source, 1 << 16);
        this.datasetMetadata = datasetMetadata;
        this.longest = longest;
    }

    @Override
    public boolean hasNext() {
        while (next == null && !ended) {
            next = read();
        }
        return next != null;
    }

    @Override
    public Line next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Line line = next;
        next = null;
        return line;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    private Line read() {
        byte[] line;
        try {
            line = readLine();
        } catch (IOException error) {
            ended = true;
            throw new UncheckedIOException(error);
        }
        if (line == null) {
            ended = true;
            return started ? null : faulty("empty-file", "the file holds no data");
        }
        number++;
        if (number == 1) {
            line = Bytes.withoutMark(line);
        }
        if (cut) {
            started = true;
            return faulty("too-long", String.format(Locale.ROOT, "a line of more than %,d bytes", longest));
        }
        return Bytes.isBlank(line) ? null : judged(line);
    }

    private Line judged(byte[] line) {
        boolean first = !started;
        started = true;
        if (first && opensOnly(line)) {
            ended = true;
            return faulty("not-json-lines", "a JSON document over several lines, not JSON Lines");
        }
        try {
            if (number == 1) {
                ended = true;
                Bytes.refuseNoData(line);
                ended = false;
            }
            Object item = Scanner.scan(line, number);
            return new Line(number, item, null, Contracts.validateItem(item, datasetMetadata));
        } catch (ReadException fault) {
            return new Line(number, null, fault, null);
        }
    }

    private Line faulty(String code, String what) {
        return new Line(number, null, new ReadException(code, what, Math.max(number, 1), 1), null);
    }

    /** The next line with its end, as much of it as is allowed, a blank one never too long; null at the end of the source. */
    private byte[] readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int found = source.read();
        boolean blank = true;
        cut = false;
        if (found < 0) {
            return null;
        }
        for (; found >= 0; found = source.read()) {
            blank = blank && Bytes.isBlank(found);
            if (line.size() < longest || found == '\n') {
                line.write(found);
            } else {
                cut = true;
            }
            if (found == '\n') {
                break;
            }
        }
        cut = cut && !blank;
        return line.toByteArray();
    }

    /** Whether a line holds a bracket and nothing else, as the first of an indented document does. */
    private static boolean opensOnly(byte[] line) {
        String said = new String(line, java.nio.charset.StandardCharsets.ISO_8859_1).trim();
        return said.equals("{") || said.equals("[");
    }
}
