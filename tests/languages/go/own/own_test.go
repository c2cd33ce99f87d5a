package acme

import (
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	const given = `{"choice":"later","extra":{"<":12345678901234567890},"maybe_whole":2.0,"maybe_flag":null,"wholes":[1.0,2]}`
	const wanted = `"wholes":[1,2],"parts":[],"open":{},"shares":{},"named_parts":{},`
	var value EveryKind
	if err := value.UnmarshalJSON([]byte(given)); err != nil {
		t.Fatal(err)
	}
	if value.Choice != "later" || *value.MaybeWhole != 2 || value.MaybeFlag != nil {
		t.Fatal(value)
	}
	text, err := Encode(value)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{wanted, `"extra":{"<":12345678901234567890}`, `"maybe_flag":null`, `"maybe_whole":2,`} {
		if !strings.Contains(string(text), part) {
			t.Fatal(string(text), part)
		}
	}
}

func TestDotInPattern(t *testing.T) {
	texts := map[string]bool{`"a."`: true, `"ab"`: true, `"a\n"`: false, `"a\r"`: false, `"a\u2028"`: false, `"a\u0085"`: true}
	for text, valid := range texts {
		violations, err := Validate([]byte(`{"maybe_text":`+text+`}`), "every_kind")
		if err != nil {
			t.Fatal(err)
		}
		mismatched := false
		for _, violation := range violations {
			mismatched = mismatched || violation.Keyword == "pattern"
		}
		if mismatched == valid {
			t.Error(text, violations)
		}
	}
}
