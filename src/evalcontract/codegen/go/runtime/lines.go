
package PACKAGE

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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
}

// NewLines reads from r.
func NewLines(r io.Reader) *Lines {
	return &Lines{MaxBytes: MaxLineBytes, reader: bufio.NewReaderSize(r, 1<<16)}
}

// Next goes to the next line that isn't blank; false at the end, or when the text can't be read any further.
func (l *Lines) Next() bool {
	if l.prepare(); l.err != nil {
		return false
	}
	for {
		data, tooLong, err := l.line()
		if err != nil && !errors.Is(err, io.EOF) {
			l.err = err
			return false
		}
		if err != nil && len(data) == 0 && !tooLong {
			return false
		}
		l.number++
		if tooLong {
			what := fmt.Sprintf("a line of more than %d bytes", l.MaxBytes)
			hint := "one item a line; raise the limit if it is meant to be that long"
			l.current = Line{Number: l.number, Fault: &ReadError{"too-long", what, hint, l.number, 1}}
			return true
		}
		if len(bytes.Trim(data, " \t\r\n")) > 0 {
			return l.judge(data)
		}
	}
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
	text := data
	if l.number > 1 && bytes.HasPrefix(data, []byte(bom)) {
		text = append([]byte(" "), data...) // a mark may stand at the beginning of the file alone
	}
	l.current = Line{Number: l.number, Data: data}
	value, err := parse(text)
	if err != nil {
		refusal := new(ReadError)
		errors.As(err, &refusal)
		refusal.Line = l.number
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

// line is the next line without its end, or that it is longer than MaxBytes.
func (l *Lines) line() (data []byte, tooLong bool, err error) {
	for {
		part, err := l.reader.ReadSlice('\n')
		if !tooLong {
			data = append(data, part...)
		}
		if len(data) > l.MaxBytes+1 || len(data) == l.MaxBytes+1 && !bytes.HasSuffix(data, []byte("\n")) {
			data, tooLong = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(data, []byte("\n")), tooLong, err
		}
	}
}
