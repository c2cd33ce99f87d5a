package example.evalcontract;

import java.util.List;

/**
 * What was found about one item.
 *
 * @param contract the schema type that it was checked against as {@code rag@1.0}, or the contract of the envelope
 * @param origin who said so
 * @param violations the violations and advices
 */
public record Verdict(String contract, Origin origin, List<Violation> violations) {

    /** Who said which schema type an item follows. */
    public enum Origin {
        /** The item itself. */
        ITEM,
        /** The metadata of its dataset. */
        DATASET,
        /** Nobody: only the envelope is checked. */
        ENVELOPE
    }

    /** Whether no violation is an error. */
    public boolean isValid() {
        return violations.stream().allMatch(found -> found.severity() == Violation.Severity.ADVICE);
    }
}
