package example.evalcontract;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A document of a contract. It keeps every member that was read, in their order: what the contract doesn't name, and
 * whether a property was null or absent. Getters give null in both cases.
 *
 * <p>Jackson 2 and 3 read and write documents as they are; {@code decode} and {@code read} of each class do so strictly.
 */
@JsonAutoDetect(
        creatorVisibility = JsonAutoDetect.Visibility.PUBLIC_ONLY,
        fieldVisibility = JsonAutoDetect.Visibility.NONE,
        getterVisibility = JsonAutoDetect.Visibility.NONE,
        isGetterVisibility = JsonAutoDetect.Visibility.NONE,
        setterVisibility = JsonAutoDetect.Visibility.NONE)
public abstract class Document {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** For the classes of contracts. */
    protected Document() {}

    /** The contract that the class was made from, as {@code name@version}. */
    public abstract String contract();

    /** The names of the properties that the contract has. */
    protected abstract Set<String> properties();

    /** The value of a property in the form in which it is kept. */
    protected abstract Object kept(String name, Object value);

    /** All members in their order; documents stand in it as documents. */
    @JsonAnyGetter
    public final Map<String, Object> members() {
        return Collections.unmodifiableMap(members);
    }

    /** The members that the contract doesn't name. Others are added by {@link #put}. */
    public final Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>(members);
        extra.keySet().removeAll(properties());
        return extra;
    }

    /** A member by its name in JSON; null when it is null or absent. */
    public final Object get(String name) {
        return members.get(name);
    }

    /** Whether there is a member of this name, be it null. */
    public final boolean has(String name) {
        return members.containsKey(name);
    }

    /**
     * Sets a member by its name in JSON; null is written as null.
     *
     * @throws IllegalArgumentException when the value is not of the type of the property
     */
    @JsonAnySetter
    public final void put(String name, Object value) {
        members.put(name, value == null ? null : kept(name, value));
    }

    /** Removes a member, so that it is absent. */
    public final void remove(String name) {
        members.remove(name);
    }

    /** Every way in which the document breaks its contract. */
    public final List<Violation> violations() {
        return Contracts.validate(this, contract());
    }

    /** The document as JSON text. */
    @Override
    public final String toString() {
        return Json.write(this);
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Document document
                && document.getClass() == getClass()
                && members.equals(document.members);
    }

    @Override
    public final int hashCode() {
        return members.hashCode();
    }

    /** Fills a document with the members of a value that has its shape. */
    protected static <T extends Document> T decoded(T made, Object value) {
        List<Violation> violations = Judge.violations(value, Table.get().contract(made.contract()), true);
        if (!violations.isEmpty()) {
            throw new ContractException(made.contract(), violations);
        }
        return filled(made, value);
    }

    /** Fills a document from strict JSON text that keeps its contract. */
    protected static <T extends Document> T readInto(T made, byte[] text) {
        Object value = Json.read(text);
        List<Violation> violations = Contracts.validate(value, made.contract());
        if (!violations.isEmpty()) {
            throw new ContractException(made.contract(), violations);
        }
        return filled(made, value);
    }

    /** A value as a document of a class, or of one that extends it. */
    protected static <T extends Document> T document(Object value, Supplier<T> maker) {
        T made = maker.get();
        if (made.getClass().isInstance(value)) {
            @SuppressWarnings("unchecked")
            T same = (T) value;
            return same;
        }
        return filled(made, value);
    }

    private static <T extends Document> T filled(T made, Object value) {
        Map<String, Object> members = Judge.members(value);
        if (members == null) {
            throw wrong("an object", value);
        }
        members.forEach(made::put);
        return made;
    }

    /** A value as a list; each element in the form in which it is kept. */
    protected static <T> List<T> list(Object value, Function<Object, T> element) {
        if (!(value instanceof List<?> elements)) {
            throw wrong("an array", value);
        }
        List<T> made = new ArrayList<>(elements.size());
        elements.forEach(found -> made.add(element.apply(found)));
        return made;
    }

    /** A value as a map; each member in the form in which it is kept. */
    protected static <T> Map<String, T> map(Object value, Function<Object, T> member) {
        Map<String, Object> members = Judge.members(value);
        if (members == null) {
            throw wrong("an object", value);
        }
        Map<String, T> made = new LinkedHashMap<>();
        members.forEach((name, found) -> made.put(name, member.apply(found)));
        return made;
    }

    /** A value as text. */
    protected static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong("a string", value);
    }

    /** A value as a truth value. */
    protected static Boolean truth(Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw wrong("a boolean", value);
    }

    /** A number that is an integer, as it was written. */
    protected static Number integral(Object value) {
        if (value instanceof Number number && Numbers.integer(number) != null) {
            return number;
        }
        throw wrong("an integer", value);
    }

    /** A number as it was written. */
    protected static Number number(Object value) {
        if (value instanceof Number number) {
            return number;
        }
        throw wrong("a number", value);
    }

    /** The integer that a kept number is. */
    protected static Long asLong(Object value) {
        return value == null ? null : Numbers.integer((Number) value);
    }

    /** The double that a kept number is. */
    protected static Double asDouble(Object value) {
        return value == null ? null : (Double) ((Number) value).doubleValue();
    }

    private static IllegalArgumentException wrong(String expected, Object value) {
        return new IllegalArgumentException("expected " + expected + ", got " + Text.actual(value));
    }
}
