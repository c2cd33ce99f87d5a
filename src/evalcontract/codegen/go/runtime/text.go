
package PACKAGE

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const limit = 80

// cut is as much of a text as most characters hold, with a mark that there is more.
func cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return firstRunes(text, most-1) + "…"
}

func firstRunes(text string, count int) string {
	for at := range text {
		if count == 0 {
			return text[:at]
		}
		count--
	}
	return text
}

// visible is text from outside with what can't be printed as an escape.
func visible(text string) string {
	var made strings.Builder
	for _, r := range text {
		if isPrintable(r) {
			made.WriteRune(r)
		} else {
			fmt.Fprintf(&made, `\u%04x`, r)
		}
	}
	return made.String()
}

func isPrintable(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r)
}

// actual is a value's type and, where that is short, the value.
func actual(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprintf("boolean %t", value)
	case json.Number:
		if isWritten(value) {
			return "integer " + short(value, limit)
		}
		return "number " + short(value, limit)
	case string:
		return "string " + short(value, limit-7)
	case []any:
		return fmt.Sprintf("array of %d", len(value))
	case *object:
		if len(value.keys) == 0 {
			return "empty object"
		}
		return cut(visible("object with "+strings.Join(value.keys[:min(limit, len(value.keys))], ", ")), limit)
	}
	return fmt.Sprint(value)
}

// short is a value as JSON, at most so many characters; an array or object by what it holds.
func short(value any, most int) string {
	switch value := value.(type) {
	case string:
		return cut(quoted(firstRunes(value, most+1)), most)
	case json.Number:
		if isWritten(value) {
			if value == "-0" {
				return "0"
			}
			return cut(string(value), most)
		}
		float, _ := value.Float64()
		return numeral(float)
	}
	return actual(value)
}

// isWritten tells whether a number is written as an integer.
func isWritten(n json.Number) bool {
	return !strings.ContainsAny(string(n), ".eE")
}

// isWhole tells whether a number is one: 2.0 is an integer.
func isWhole(n json.Number) bool {
	float, _ := n.Float64()
	return isWritten(n) || float == math.Trunc(float)
}

// numeral is a double in the shortest form that reads as the same.
func numeral(float float64) string {
	if size := math.Abs(float); size != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(float, 'e', -1, 64)
	}
	text := strconv.FormatFloat(float, 'f', -1, 64)
	if strings.ContainsRune(text, '.') {
		return text
	}
	return text + ".0"
}

// quoted is a text as JSON, with no more escapes than JSON needs.
func quoted(text string) string {
	var made strings.Builder
	made.WriteByte('"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			made.WriteByte('\\')
			made.WriteRune(r)
		case '\n':
			made.WriteString(`\n`)
		case '\r':
			made.WriteString(`\r`)
		case '\t':
			made.WriteString(`\t`)
		case '\b':
			made.WriteString(`\b`)
		case '\f':
			made.WriteString(`\f`)
		default:
			if r < 0x20 {
				fmt.Fprintf(&made, `\u%04x`, r)
			} else {
				made.WriteRune(r)
			}
		}
	}
	made.WriteByte('"')
	return made.String()
}

// shown is a name in single quotes.
func shown(name string) string {
	text := firstRunes(name, limit+1)
	quote := '\''
	if strings.ContainsRune(text, '\'') && !strings.ContainsRune(text, '"') {
		quote = '"'
	}
	var made strings.Builder
	made.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == '\\' || r == quote:
			made.WriteByte('\\')
			made.WriteRune(r)
		case r == '\n':
			made.WriteString(`\n`)
		case r == '\r':
			made.WriteString(`\r`)
		case r == '\t':
			made.WriteString(`\t`)
		case isPrintable(r):
			made.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&made, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&made, `\u%04x`, r)
		default:
			fmt.Fprintf(&made, `\U%08x`, r)
		}
	}
	made.WriteRune(quote)
	return cut(made.String(), limit)
}

func shortList(prefix string, words []string) string {
	return cut(prefix+strings.Join(words, ", "), limit)
}

func count(word string, number int, thing string) string {
	if number != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%s %d %s", word, number, thing)
}
