
package PACKAGE

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	number           = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`)
	unfinishedNumber = regexp.MustCompile(`^-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?)?)?$`)
	unfinishedEscape = regexp.MustCompile(`^\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?$`)
	unicodeEscape    = regexp.MustCompile(`^\\u[0-9a-fA-F]{4}`)
	word             = regexp.MustCompile(`^[-+.0-9a-zA-Z_]{1,80}`)
	literals         = []struct {
		name  string
		value any
	}{{"true", true}, {"false", false}, {"null", nil}}
	notFinite = map[string]bool{
		"NaN": true, "-NaN": true, "Infinity": true, "-Infinity": true, "+Infinity": true,
		"nan": true, "inf": true, "-inf": true,
	}
	escapes = map[byte]byte{
		'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
	}
)

// scanner goes once over a text. It panics with a *ReadError.
type scanner struct {
	text  string
	line  int
	at    int
	depth int
}

func (s *scanner) document() any {
	if s.peek() == 0 && s.at == len(s.text) {
		panic(refusal(s.text, 0, "empty-file", "the text holds no data", ""))
	}
	value := s.value()
	if s.peek(); s.at < len(s.text) {
		found := s.word()
		if found == bom {
			s.unexpected("the end")
		}
		hint := "one JSON value only; several belong in a .jsonl file, one a line"
		s.refuse("trailing-content", fmt.Sprintf("more after the end of the value: \"%s\"", visible(cut(found, 40))), hint)
	}
	return value
}

func (s *scanner) value() any {
	opening := s.peek()
	switch {
	case opening == '{' || opening == '[':
		if s.depth >= table.MaxDepth {
			s.refuse("too-deep", fmt.Sprintf("nested deeper than %d levels", table.MaxDepth), "flatten the value")
		}
		s.depth++
		s.at++
		defer func() { s.depth-- }()
		if opening == '{' {
			return s.object()
		}
		return s.array()
	case opening == '"':
		return s.string()
	case opening == '-' || (opening >= '0' && opening <= '9'):
		return s.number()
	}
	for _, literal := range literals {
		if strings.HasPrefix(s.text[s.at:], literal.name) {
			s.at += len(literal.name)
			return literal.value
		}
	}
	found := s.word()
	if notFinite[found] {
		s.refuse("not-finite", found+" is not JSON", "use null")
	}
	if found != "" && s.at+len(found) == len(s.text) {
		for _, literal := range literals {
			if strings.HasPrefix(literal.name, found) {
				panic(cutOff(s.text, s.at, "inside a value"))
			}
		}
	}
	s.unexpected("a value")
	return nil
}

func (s *scanner) object() any {
	made := &object{values: map[string]any{}}
	if s.peek() == '}' {
		s.at++
		return made
	}
	seen := map[string]int{}
	for {
		if s.peek() != '"' {
			s.unexpected("a property name in double quotes")
		}
		start := s.at
		key := s.string()
		if before, ok := seen[key]; ok {
			first := refusal(s.text, before, "", "", "")
			line := first.Line + s.line - 1
			what := fmt.Sprintf("duplicate key \"%s\", first at line %d, column %d", visible(cut(key, limit)), line, first.Column)
			panic(refusal(s.text, start, "duplicate-key", what, "keep one of the two"))
		}
		seen[key] = start
		if s.peek() != ':' {
			s.unexpected("':'")
		}
		s.at++
		made.keys = append(made.keys, key)
		made.values[key] = s.value()
		if !s.goesOn('}') {
			return made
		}
	}
}

func (s *scanner) array() any {
	made := []any{}
	if s.peek() == ']' {
		s.at++
		return made
	}
	for {
		made = append(made, s.value())
		if !s.goesOn(']') {
			return made
		}
	}
}

func (s *scanner) goesOn(closing byte) bool {
	following := s.peek()
	if following != ',' && following != closing {
		s.unexpected(fmt.Sprintf("',' or '%c'", closing))
	}
	comma := s.at
	s.at++
	if following == closing {
		return false
	}
	if s.peek() == closing {
		what := fmt.Sprintf("a comma before '%c'", closing)
		panic(refusal(s.text, comma, "syntax", what, "remove the comma"))
	}
	return true
}

func (s *scanner) string() string {
	start := s.at
	s.at++
	var made strings.Builder
	for {
		begin := s.at
		for s.at < len(s.text) && s.text[s.at] != '"' && s.text[s.at] != '\\' && s.text[s.at] >= 0x20 {
			s.at++
		}
		made.WriteString(s.text[begin:s.at])
		switch {
		case s.at == len(s.text):
			panic(cutOff(s.text, start, "inside a string"))
		case s.text[s.at] == '"':
			s.at++
			return made.String()
		case s.text[s.at] == '\\':
			made.WriteString(s.escape(start))
		default:
			what := fmt.Sprintf("a raw control character U+%04X inside a string", s.text[s.at])
			s.refuse("syntax", what, "write it as an escape")
		}
	}
}

func (s *scanner) escape(start int) string {
	rest := s.text[s.at:min(s.at+12, len(s.text))]
	if len(rest) > 1 {
		if plain, ok := escapes[rest[1]]; ok {
			s.at += 2
			return string(rune(plain))
		}
	}
	escape := unicodeEscape.FindString(rest)
	if escape != "" {
		unit := unitOf(escape)
		if !utf16.IsSurrogate(unit) {
			s.at += 6
			return string(unit)
		}
		if low := unicodeEscape.FindString(rest[6:]); low != "" {
			if pair := utf16.DecodeRune(unit, unitOf(low)); pair != utf8.RuneError {
				s.at += 12
				return string(pair)
			}
		}
	}
	if s.at+len(rest) == len(s.text) && unfinishedEscape.MatchString(rest) {
		panic(cutOff(s.text, start, "inside a string"))
	}
	if escape != "" {
		what := fmt.Sprintf("a lone surrogate %s is half a character", escape)
		s.refuse("lone-surrogate", what, "write both halves of the pair, or the character itself")
	}
	if strings.HasPrefix(rest, `\u`) {
		s.refuse("syntax", `\u must be followed by four hexadecimal digits`, "")
	}
	s.at++
	letter := s.word()
	s.at--
	s.refuse("syntax", fmt.Sprintf("an unknown escape \\%s in a string", visible(firstRunes(letter, 1))), "")
	return ""
}

func unitOf(escape string) rune {
	unit, _ := strconv.ParseUint(escape[2:], 16, 16)
	return rune(unit)
}

func (s *scanner) number() any {
	rest := s.text[s.at:]
	digits := number.FindString(rest)
	following := byte(0)
	if len(digits) < len(rest) {
		following = rest[len(digits)]
	}
	if digits == "" || isWordByte(following) {
		if unfinishedNumber.MatchString(rest) {
			panic(cutOff(s.text, s.at, "inside a number"))
		}
		found := s.word()
		if notFinite[found] {
			s.refuse("not-finite", found+" is not JSON", "use null")
		}
		s.refuse("syntax", visible(found)+" is not a JSON number", "")
	}
	if value, _ := strconv.ParseFloat(digits, 64); math.IsInf(value, 0) {
		what := fmt.Sprintf("%s is too large for a number: it would become Infinity", cut(digits, 40))
		s.refuse("not-finite", what, "use null, or a number below 1.8e308")
	}
	s.at += len(digits)
	return json.Number(digits)
}

func isWordByte(b byte) bool {
	return b == '+' || b == '-' || b == '.' || b == '_' ||
		(b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z')
}

// peek skips white space and looks at the next byte; 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return s.text[s.at]
		}
	}
	return 0
}

func (s *scanner) word() string {
	if found := word.FindString(s.text[s.at:]); found != "" {
		return found
	}
	_, size := utf8.DecodeRuneInString(s.text[s.at:])
	return s.text[s.at : s.at+size]
}

func (s *scanner) refuse(code, message, hint string) {
	panic(refusal(s.text, s.at, code, message, hint))
}

func (s *scanner) unexpected(expected string) {
	found := s.word()
	switch found {
	case "":
		panic(cutOff(s.text, s.at, fmt.Sprintf("where %s should be", expected)))
	case bom:
		s.refuse("bom-in-the-middle", "a byte order mark in the middle of the file", "files were joined; remove the mark")
	}
	s.refuse("syntax", fmt.Sprintf("%s expected, found \"%s\"", expected, visible(cut(found, 40))), "")
}
