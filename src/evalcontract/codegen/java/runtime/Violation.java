package example.evalcontract;

/**
 * One way in which a value breaks its contract, or an advice about it.
 *
 * @param code a stable word for the kind of fault, the same in every language
 * @param message what is wrong, for people
 * @param pointer the JSON pointer of the value; for a missing property, of the place where it should be
 * @param keyword the keyword of JSON Schema that refuses the value; null where none does
 * @param expected what the contract asks for; may be null
 * @param actual what the value is instead; may be null
 * @param severity whether it is a fault
 */
public record Violation(
        String code,
        String message,
        String pointer,
        String keyword,
        String expected,
        String actual,
        Severity severity) {

    /** Whether a finding makes a value invalid. */
    public enum Severity {
        /** The value breaks its contract. */
        ERROR,
        /** Something to know; the value is valid all the same. */
        ADVICE
    }

    Violation at(String prefix) {
        return new Violation(code, message, prefix + pointer, keyword, expected, actual, severity);
    }

    @Override
    public String toString() {
        return (pointer.isEmpty() ? "(document)" : pointer) + ": " + message;
    }
}
