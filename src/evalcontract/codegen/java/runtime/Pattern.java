package example.evalcontract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A pattern of a contract: literals, classes, groups, alternatives and counts, as the authoring profile allows.
 * Matched in time linear in the text, whatever the pattern, which java.util.regex doesn't.
 */
final class Pattern {
    private enum Kind {
        CHARACTER,
        EITHER,
        START,
        END,
        FOUND
    }

    /** The characters between two bounds each, or all others. */
    private record Class(List<int[]> ranges, boolean negated) {
        boolean holds(int found) {
            return ranges.stream().anyMatch(range -> range[0] <= found && found <= range[1]) != negated;
        }
    }

    private record Step(Kind kind, Class characters, int one, int other) {}

    private final List<Step> program = new ArrayList<>();

    Pattern(String pattern) {
        new Parser(pattern).alternatives().compile(program);
        program.add(new Step(Kind.FOUND, null, 0, 0));
    }

    /** Whether any part of the text matches. */
    boolean isIn(String text) {
        int[] characters = text.codePoints().toArray();
        Threads now = new Threads();
        Threads next = new Threads();
        for (int at = 0; ; at++) {
            if (now.add(0, at == 0, at == characters.length)) {
                return true;
            }
            if (at == characters.length) {
                return false;
            }
            next.clear();
            for (int waiting : now.waiting) {
                boolean fits = program.get(waiting).characters.holds(characters[at]);
                if (fits && next.add(waiting + 1, false, at + 1 == characters.length)) {
                    return true;
                }
            }
            Threads passed = now;
            now = next;
            next = passed;
        }
    }

    /** The places of the program that wait for the next character. */
    private final class Threads {
        final List<Integer> waiting = new ArrayList<>();
        private final boolean[] seen = new boolean[program.size()];
        private final Deque<Integer> pending = new ArrayDeque<>();

        void clear() {
            waiting.clear();
            Arrays.fill(seen, false);
        }

        /** Adds a place and all that it leads to; true when the pattern is found. */
        boolean add(int place, boolean atStart, boolean atEnd) {
            pending.push(place);
            while (!pending.isEmpty()) {
                int at = pending.pop();
                if (seen[at]) {
                    continue;
                }
                seen[at] = true;
                Step step = program.get(at);
                switch (step.kind) {
                    case CHARACTER -> waiting.add(at);
                    case EITHER -> {
                        pending.push(step.other);
                        pending.push(step.one);
                    }
                    case START, END -> {
                        if (step.kind == Kind.START ? atStart : atEnd) {
                            pending.push(at + 1);
                        }
                    }
                    case FOUND -> {
                        pending.clear();
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private interface Node {
        void compile(List<Step> program);
    }

    private static Node single(Class characters) {
        return program -> program.add(new Step(Kind.CHARACTER, characters, 0, 0));
    }

    private static Node anchor(Kind kind) {
        return program -> program.add(new Step(kind, null, 0, 0));
    }

    private static Step either(int one, int other) {
        return new Step(Kind.EITHER, null, one, other);
    }

    private static Node anyOf(List<Node> branches) {
        return program -> {
            List<Integer> ends = new ArrayList<>();
            for (int number = 0; number < branches.size(); number++) {
                boolean last = number + 1 == branches.size();
                int fork = program.size();
                if (!last) {
                    program.add(null);
                }
                branches.get(number).compile(program);
                if (!last) {
                    ends.add(program.size());
                    program.add(null);
                    program.set(fork, either(fork + 1, program.size()));
                }
            }
            ends.forEach(end -> program.set(end, either(program.size(), program.size())));
        };
    }

    private static Node repeated(Node part, int least, Integer most) {
        return program -> {
            for (int count = 0; count < least; count++) {
                part.compile(program);
            }
            if (most == null) {
                int fork = program.size();
                program.add(null);
                part.compile(program);
                program.add(either(fork, fork));
                program.set(fork, either(fork + 1, program.size()));
                return;
            }
            List<Integer> forks = new ArrayList<>();
            for (int count = least; count < most; count++) {
                forks.add(program.size());
                program.add(null);
                part.compile(program);
            }
            forks.forEach(fork -> program.set(fork, either(fork + 1, program.size())));
        };
    }

    private static final class Parser {
        private final int[] characters;
        private int at;

        Parser(String pattern) {
            characters = pattern.codePoints().toArray();
        }

        private int peek() {
            return at < characters.length ? characters[at] : -1;
        }

        private boolean take(int wanted) {
            boolean found = peek() == wanted;
            at += found ? 1 : 0;
            return found;
        }

        Node alternatives() {
            List<Node> branches = new ArrayList<>(List.of(sequence()));
            while (take('|')) {
                branches.add(sequence());
            }
            return anyOf(branches);
        }

        private Node sequence() {
            List<Node> parts = new ArrayList<>();
            while (peek() != -1 && peek() != '|' && peek() != ')') {
                parts.add(counted(part(characters[at++])));
            }
            return program -> parts.forEach(part -> part.compile(program));
        }

        private Node part(int found) {
            switch (found) {
                case '^':
                    return anchor(Kind.START);
                case '$':
                    return anchor(Kind.END);
                case '(':
                    Node group = alternatives();
                    take(')');
                    return group;
                case '[':
                    return single(characterClass());
                case '.':
                    List<int[]> lineEnds = new ArrayList<>();
                    "\n\r\u2028\u2029".chars().forEach(end -> lineEnds.add(new int[] {end, end}));
                    return single(new Class(lineEnds, true));
                default:
                    int one = found == '\\' ? escaped() : found;
                    return single(new Class(List.of(new int[] {one, one}), false));
            }
        }

        private Node counted(Node part) {
            int least = 0;
            Integer most = null;
            switch (peek()) {
                case '*':
                    break;
                case '+':
                    least = 1;
                    break;
                case '?':
                    most = 1;
                    break;
                case '{':
                    at++;
                    least = count();
                    most = least;
                    if (take(',')) {
                        most = peek() == '}' ? null : (Integer) count();
                    }
                    break;
                default:
                    return part;
            }
            at++;
            take('?'); // how much it takes makes no difference to whether it matches
            return repeated(part, least, most);
        }

        private int count() {
            int count = 0;
            while (peek() >= '0' && peek() <= '9') {
                count = count * 10 + characters[at++] - '0';
            }
            return count;
        }

        private Class characterClass() {
            boolean negated = take('^');
            List<int[]> ranges = new ArrayList<>();
            while (peek() != -1 && peek() != ']') {
                int low = one();
                boolean isRange = peek() == '-' && at + 1 < characters.length && characters[at + 1] != ']';
                at += isRange ? 1 : 0;
                ranges.add(new int[] {low, isRange ? one() : low});
            }
            at++;
            return new Class(ranges, negated);
        }

        private int one() {
            int found = characters[at++];
            return found == '\\' ? escaped() : found;
        }

        private int escaped() {
            int found = at < characters.length ? characters[at++] : '\\';
            return switch (found) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'v' -> '\u000b';
                case 'f' -> '\f';
                default -> found;
            };
        }
    }
}
