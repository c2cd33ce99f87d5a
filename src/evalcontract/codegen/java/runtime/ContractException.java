package example.evalcontract;

import java.util.List;

/** A value that is not what its contract asks for. */
public final class ContractException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 5;

    private final String contract;
    private final transient List<Violation> violations;

    ContractException(String contract, List<Violation> violations) {
        super(text(contract, violations));
        this.contract = contract;
        this.violations = List.copyOf(violations);
    }

    /** The contract, as {@code name@version}. */
    public String contract() {
        return contract;
    }

    /** Every way in which the value breaks it. */
    public List<Violation> violations() {
        return violations;
    }

    private static String text(String contract, List<Violation> violations) {
        StringBuilder made = new StringBuilder("the value breaks " + contract + ":");
        violations.stream().limit(SHOWN).forEach(violation -> made.append("\n  ").append(violation));
        int more = violations.size() - SHOWN;
        return more > 0 ? made + "\n  and " + more + " more" : made.toString();
    }
}
