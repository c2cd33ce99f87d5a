package example.evalcontract;

import java.math.BigDecimal;
import java.math.BigInteger;

/** What JSON numbers are in Java: Long and BigInteger when written without fraction and exponent, else Double. */
final class Numbers {
    private Numbers() {}

    /** Whether a number is of a type that has no fraction. */
    static boolean isWhole(Number number) {
        return number instanceof Long
                || number instanceof Integer
                || number instanceof BigInteger
                || number instanceof Short
                || number instanceof Byte;
    }

    /** Whether a number is an integer: 2.0 is one. */
    static boolean isInteger(Number number) {
        return isWhole(number) || number.doubleValue() == Math.rint(number.doubleValue());
    }

    /** The integer that a number is, however it is written; null for any other and beyond 64 bits. */
    static Long integer(Number number) {
        if (!isInteger(number)) {
            return null;
        }
        BigInteger exact = isWhole(number)
                ? new BigInteger(number.toString())
                : new BigDecimal(number.doubleValue()).toBigInteger();
        return exact.bitLength() < Long.SIZE ? exact.longValue() : null;
    }

    static boolean isFinite(Number number) {
        return Double.isFinite(number.doubleValue());
    }
}
