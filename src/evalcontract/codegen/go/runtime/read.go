
package PACKAGE

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ReadError says why a text is not strict JSON, and where: Line and Column count from 1, Column in characters.
type ReadError struct {
	Code    string
	Message string
	Hint    string
	Line    int
	Column  int
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Parse reads one strict JSON text in UTF-8. An object becomes map[string]any, an array []any, and a number
// json.Number, which keeps it as it is written. The error is a *ReadError.
func Parse(data []byte) (any, error) {
	value, err := parse(data)
	if err != nil {
		return nil, err
	}
	return plain(value), nil
}

// object is a JSON object that knows the order of its keys.
type object struct {
	keys   []string
	values map[string]any
}

func plain(value any) any {
	switch value := value.(type) {
	case *object:
		made := make(map[string]any, len(value.keys))
		for key, member := range value.values {
			made[key] = plain(member)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for index, element := range value {
			made[index] = plain(element)
		}
		return made
	}
	return value
}

const bom = "\ufeff"

func parse(data []byte) (any, error) {
	return parseLine(data, 1)
}

// parseLine is parse for a text that is one line of a longer one, with its number.
func parseLine(data []byte, line int) (value any, err error) {
	text, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	if line == 1 {
		text = strings.TrimPrefix(text, bom)
	}
	s := &scanner{text: text, line: line}
	defer func() {
		if failure := recover(); failure != nil {
			refusal, ok := failure.(*ReadError)
			if !ok {
				panic(failure)
			}
			value, err = nil, refusal
		}
	}()
	return s.document(), nil
}

// decodeText is the text of strict UTF-8.
func decodeText(data []byte) (string, error) {
	text := string(data)
	if !utf8.ValidString(text) {
		at := 0
		for at < len(text) {
			r, size := utf8.DecodeRuneInString(text[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		if !utf8.FullRuneInString(text[at:]) {
			return "", cutOff(text[:at], at, "inside a character")
		}
		what := fmt.Sprintf("byte 0x%02x is not valid UTF-8 here", text[at])
		if text[at] == 0xed && at+1 < len(text) && text[at+1] >= 0xa0 && text[at+1] <= 0xbf {
			what = "a lone surrogate encoded as UTF-8"
		}
		return "", refusal(text[:at], at, "invalid-utf8", what, "save the file as UTF-8")
	}
	return text, nil
}

func refusal(text string, at int, code, message, hint string) *ReadError {
	before := text[:at]
	start := strings.LastIndexByte(before, '\n') + 1
	line := strings.Count(before, "\n") + 1
	return &ReadError{code, message, hint, line, utf8.RuneCountInString(before[start:]) + 1}
}

func cutOff(text string, at int, where string) *ReadError {
	return refusal(text, at, "truncated", "the text ends "+where, "the end is missing; write the file again")
}
