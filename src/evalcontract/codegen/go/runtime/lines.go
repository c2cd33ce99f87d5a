
package PACKAGE

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxLineBytes is the longest line that is read, unless Lines says otherwise.
const MaxLineBytes = 256 << 20

// Line is one line of a JSON Lines text: its bytes with its verdict, or why it can't be read.
type Line struct {
	Number  int
	Data    []byte
	Verdict Verdict
	Fault   *ReadError
}

// Lines reads JSON Lines, one strict JSON text a line, and judges as it reads. No more than one line is held in
// memory. Blank lines are left out. Set the fields before the first call of Next.
//
//	lines := NewLines(file)
//	for lines.Next() {
//		line := lines.Line()
//	}
//	err := lines.Err()
type Lines struct {
	// Contract is what each line is; without it an item, judged by the type that it or its dataset declares.
	Contract string
	// DatasetMetadata is the metadata of the dataset of the items, a JSON text.
	DatasetMetadata []byte
	// MaxBytes is the longest line that is read.
	MaxBytes int

	reader   *bufio.Reader
	current  Line
	number   int
	err      error
	metadata any
	ready    bool
	done     bool
	seen     int
}

// NewLines reads from r.
func NewLines(r io.Reader) *Lines {
	return &Lines{MaxBytes: MaxLineBytes, reader: bufio.NewReaderSize(r, 1<<16)}
}

// Next goes to the next line that isn't blank; false at the end, or when the text can't be read any further. A text
// without such a line, and one that is no JSON Lines at all, gives one fault.
func (l *Lines) Next() bool {
	if l.prepare(); l.err != nil || l.done {
		return false
	}
	for {
		data, tooLong, err := l.line()
		if err != nil && !errors.Is(err, io.EOF) {
			l.err = err
			return false
		}
		if err != nil && len(data) == 0 && !tooLong {
			l.done = true
			if l.seen == 0 {
				l.fault("empty-file", "the file holds no data", "an empty file is never a success; write it again or leave it out")
				l.current.Number = 1
			}
			return l.seen == 0
		}
		l.number++
		if tooLong {
			l.seen++
			what := fmt.Sprintf("a line of more than %s bytes", grouped(l.MaxBytes))
			l.fault("too-long", what, "one item a line; raise the limit if it is meant to be that long")
			return true
		}
		if len(bytes.Trim(data, " \t\r\n")) > 0 && !(l.number == 1 && string(bytes.Trim(data, " \t\r\n")) == bom) {
			l.seen++
			return l.judge(data)
		}
	}
}

func (l *Lines) fault(code, message, hint string) {
	l.current = Line{Number: l.number, Fault: &ReadError{code, message, hint, max(l.number, 1), 1}}
}

// notLines tells whether a text can't be JSON Lines, going by its first line, which is refused.
func (l *Lines) notLines(data []byte) bool {
	switch first := string(bytes.Trim(data, " \t\r\n")); {
	case l.seen != 1:
		return false
	case first == "{" || first == "[":
		l.fault("not-json-lines", "a JSON document over several lines, not JSON Lines", "name it .json, or write one item a line")
		return true
	case l.number == 1 && strings.HasPrefix(first, "version https://git-lfs.github.com/spec/"):
		l.fault("lfs-pointer", "the file is a Git LFS pointer, its data was not fetched", "run git lfs pull")
		return true
	}
	return false
}

// Line is the line that Next went to.
func (l *Lines) Line() Line { return l.current }

// Err says why Next stopped before the end; nil at the end.
func (l *Lines) Err() error { return l.err }

func (l *Lines) prepare() {
	if l.ready {
		return
	}
	l.ready = true
	if l.Contract != "" {
		l.Contract, l.err = resolve(l.Contract)
	}
	if l.DatasetMetadata != nil && l.err == nil {
		l.metadata, l.err = parse(l.DatasetMetadata)
	}
}

func (l *Lines) judge(data []byte) bool {
	l.current = Line{Number: l.number, Data: bytes.TrimSuffix(data, []byte("\n"))}
	value, err := parseLine(data, l.number)
	if err != nil && l.notLines(data) {
		l.done = true
		return true
	}
	if err != nil {
		refusal := new(ReadError)
		errors.As(err, &refusal)
		refusal.Line += l.number - 1
		l.current.Fault = refusal
		return true
	}
	if l.Contract != "" {
		l.current.Verdict = Verdict{l.Contract, "envelope", judge(value, &schema{Ref: l.Contract}, l.Contract)}
		return true
	}
	l.current.Verdict, l.err = judgeItem(value, l.metadata)
	return l.err == nil
}

// line is the next line with its end, or that it is longer than MaxBytes; a blank one never is.
func (l *Lines) line() (data []byte, tooLong bool, err error) {
	blank := true
	for {
		part, err := l.reader.ReadSlice('\n')
		blank = blank && len(bytes.Trim(part, " \t\r\n")) == 0
		if !tooLong {
			data = append(data, part...)
		}
		if len(data) > l.MaxBytes+1 || len(data) == l.MaxBytes+1 && !bytes.HasSuffix(data, []byte("\n")) {
			data, tooLong = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if tooLong && blank {
				return []byte("\n"), false, err
			}
			return data, tooLong, err
		}
	}
}

// grouped is a number with a comma before each three digits.
func grouped(number int) string {
	text := strconv.Itoa(number)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
