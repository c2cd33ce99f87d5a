//! Patterns of contracts: matched in time linear in the text, whatever the pattern.

/// A compiled pattern: literals, classes, groups, alternatives and counts, as the authoring profile allows.
pub(crate) struct Pattern {
    program: Vec<Step>,
}

enum Step {
    Character(Class),
    Either(usize, usize),
    Start,
    End,
    Found,
}

enum Node {
    Character(Class),
    Start,
    End,
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeat(Box<Node>, usize, Option<usize>),
}

#[derive(Clone)]
struct Class {
    ranges: Vec<(char, char)>,
    negated: bool,
}

impl Class {
    fn holds(&self, found: char) -> bool {
        self.ranges
            .iter()
            .any(|&(low, high)| low <= found && found <= high)
            != self.negated
    }
}

impl Pattern {
    pub(crate) fn new(pattern: &str) -> Self {
        let mut parser = Parser {
            characters: pattern.chars().collect(),
            at: 0,
        };
        let mut program = Vec::new();
        compile(&parser.alternatives(), &mut program);
        program.push(Step::Found);
        Pattern { program }
    }

    /// Whether any part of the text matches.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let mut now = Threads::new(self.program.len());
        let mut next = Threads::new(self.program.len());
        let mut characters = text.chars().peekable();
        let mut first = true;
        loop {
            let following = characters.next();
            if now.add(&self.program, 0, first, following.is_none()) {
                return true;
            }
            let Some(character) = following else {
                return false;
            };
            let at_end = characters.peek().is_none();
            next.clear();
            for index in 0..now.waiting.len() {
                let at = now.waiting[index];
                if let Step::Character(class) = &self.program[at] {
                    if class.holds(character) && next.add(&self.program, at + 1, false, at_end) {
                        return true;
                    }
                }
            }
            std::mem::swap(&mut now, &mut next);
            first = false;
        }
    }
}

/// The places of the program that wait for the next character.
struct Threads {
    waiting: Vec<usize>,
    seen: Vec<bool>,
    pending: Vec<usize>,
}

impl Threads {
    fn new(size: usize) -> Self {
        Threads {
            waiting: Vec::new(),
            seen: vec![false; size],
            pending: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.waiting.clear();
        self.seen.fill(false);
    }

    /// Adds a place and all that it leads to; true when the pattern is found.
    fn add(&mut self, program: &[Step], at: usize, at_start: bool, at_end: bool) -> bool {
        self.pending.push(at);
        while let Some(at) = self.pending.pop() {
            if std::mem::replace(&mut self.seen[at], true) {
                continue;
            }
            match program[at] {
                Step::Character(_) => self.waiting.push(at),
                Step::Either(one, other) => self.pending.extend([other, one]),
                Step::Start if at_start => self.pending.push(at + 1),
                Step::End if at_end => self.pending.push(at + 1),
                Step::Start | Step::End => {}
                Step::Found => return true,
            }
        }
        false
    }
}

fn compile(node: &Node, program: &mut Vec<Step>) {
    match node {
        Node::Character(class) => program.push(Step::Character(class.clone())),
        Node::Start => program.push(Step::Start),
        Node::End => program.push(Step::End),
        Node::Sequence(parts) => parts.iter().for_each(|part| compile(part, program)),
        Node::Alternatives(branches) => {
            let mut ends = Vec::new();
            for (number, branch) in branches.iter().enumerate() {
                let fork = program.len();
                if number + 1 < branches.len() {
                    program.push(Step::Either(fork + 1, 0));
                }
                compile(branch, program);
                if number + 1 < branches.len() {
                    ends.push(program.len());
                    program.push(Step::Either(0, 0));
                    program[fork] = Step::Either(fork + 1, program.len());
                }
            }
            let behind = program.len();
            for end in ends {
                program[end] = Step::Either(behind, behind);
            }
        }
        Node::Repeat(part, least, most) => {
            (0..*least).for_each(|_| compile(part, program));
            match most {
                None => {
                    let fork = program.len();
                    program.push(Step::Either(0, 0));
                    compile(part, program);
                    program.push(Step::Either(fork, fork));
                    program[fork] = Step::Either(fork + 1, program.len());
                }
                Some(most) => {
                    let mut forks = Vec::new();
                    for _ in *least..*most {
                        forks.push(program.len());
                        program.push(Step::Either(0, 0));
                        compile(part, program);
                    }
                    let behind = program.len();
                    for fork in forks {
                        program[fork] = Step::Either(fork + 1, behind);
                    }
                }
            }
        }
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek();
        self.at += 1;
        found
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn alternatives(&mut self) -> Node {
        let mut branches = vec![self.sequence()];
        while self.take('|') {
            branches.push(self.sequence());
        }
        Node::Alternatives(branches)
    }

    fn sequence(&mut self) -> Node {
        let mut parts = Vec::new();
        while let Some(found) = self.peek().filter(|found| !matches!(found, '|' | ')')) {
            self.at += 1;
            let part = match found {
                '^' => Node::Start,
                '$' => Node::End,
                '.' => Node::Character(Class {
                    ranges: ['\n', '\r', '\u{2028}', '\u{2029}']
                        .map(|end| (end, end))
                        .to_vec(),
                    negated: true,
                }),
                '(' => {
                    let group = self.alternatives();
                    self.take(')');
                    group
                }
                '[' => Node::Character(self.class()),
                '\\' => {
                    let one = self.escaped();
                    Node::Character(Class {
                        ranges: vec![(one, one)],
                        negated: false,
                    })
                }
                one => Node::Character(Class {
                    ranges: vec![(one, one)],
                    negated: false,
                }),
            };
            parts.push(self.counted(part));
        }
        Node::Sequence(parts)
    }

    fn counted(&mut self, part: Node) -> Node {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                let least = self.count();
                let most = if self.take(',') {
                    matches!(self.peek(), Some('0'..='9')).then(|| self.count())
                } else {
                    Some(least)
                };
                (least, most)
            }
            _ => return part,
        };
        self.at += 1;
        self.take('?'); // how much it takes makes no difference to whether it matches
        Node::Repeat(Box::new(part), least, most)
    }

    fn count(&mut self) -> usize {
        let mut count = 0;
        while let Some(digit) = self.peek().and_then(|found| found.to_digit(10)) {
            count = count * 10 + digit as usize;
            self.at += 1;
        }
        count
    }

    fn class(&mut self) -> Class {
        let negated = self.take('^');
        let mut ranges = Vec::new();
        while let Some(found) = self.next().filter(|&found| found != ']') {
            let low = if found == '\\' { self.escaped() } else { found };
            let is_range = self.peek() == Some('-')
                && self
                    .characters
                    .get(self.at + 1)
                    .is_some_and(|&after| after != ']');
            if !is_range {
                ranges.push((low, low));
                continue;
            }
            self.at += 1;
            let high = match self.next() {
                Some('\\') => self.escaped(),
                found => found.unwrap_or(low),
            };
            ranges.push((low, high));
        }
        Class { ranges, negated }
    }

    fn escaped(&mut self) -> char {
        match self.next().unwrap_or('\\') {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'f' => '\u{c}',
            itself => itself,
        }
    }
}
