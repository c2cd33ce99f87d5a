package example.evalcontract;

/** Why a text is not strict JSON, and where: line and column count from 1, the column in characters. */
public final class ReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String reason;
    private final int line;
    private final int column;

    ReadException(String code, String reason, int line, int column) {
        super(line + ":" + column + ": " + reason);
        this.code = code;
        this.reason = reason;
        this.line = line;
        this.column = column;
    }

    /** A stable word for the kind of fault, the same in every language: {@code duplicate-key}. */
    public String code() {
        return code;
    }

    /** What is wrong, for people. */
    public String reason() {
        return reason;
    }

    /** The line, from 1. */
    public int line() {
        return line;
    }

    /** The column in characters, from 1. */
    public int column() {
        return column;
    }
}
