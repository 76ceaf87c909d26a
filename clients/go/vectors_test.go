package fairline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"
)

type vectorFile struct {
	Issuer, Audience string
	Secrets          struct{ Entry, EntryPrevious, VWR, VWRPrevious string }
	JWKS             json.RawMessage
	Vectors          []struct {
		Name, Kind, Cookie  string
		Now                 int64
		Event, User, Header *string
		Expect              struct {
			Outcome, Reason, Code, Event, Visitor, TokenID string
			ExpiresAt                                      int64
		}
	}
}

func readVectors(t *testing.T) vectorFile {
	t.Helper()
	var file vectorFile
	content, err := os.ReadFile("../vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestVectors(t *testing.T) {
	file := readVectors(t)
	var now time.Time
	verifier, err := New(Options{
		JWKS:       file.JWKS,
		Secrets:    []string{file.Secrets.Entry, file.Secrets.EntryPrevious},
		VWRSecrets: []string{file.Secrets.VWR, file.Secrets.VWRPrevious},
		Issuer:     file.Issuer,
		Audience:   file.Audience,
		Now:        func() time.Time { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		now = time.Unix(vector.Now, 0)
		question := Question{Kind: Kind(vector.Kind), Cookie: vector.Cookie, Header: vector.Header, User: vector.User}
		if vector.Event == nil {
			question.AnyEvent = true
		} else {
			question.Event = *vector.Event
		}
		entry, err := verifier.Check(context.Background(), question)
		expect := vector.Expect
		if expect.Outcome == "good" {
			want := Entry{expect.Event, expect.Visitor, expect.TokenID, time.Unix(expect.ExpiresAt, 0)}
			if err != nil || entry != want {
				t.Errorf("%s: got %+v, %v; want %+v", vector.Name, entry, err, want)
			}
			continue
		}
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Reason != expect.Reason || refusal.Code != expect.Code {
			t.Errorf("%s: got %+v, %v; want %s (%s)", vector.Name, entry, err, expect.Code, expect.Reason)
		}
	}
	t.Logf("%d vectors", len(file.Vectors))
	if len(file.Vectors) < 100 {
		t.Error("vectors are missing")
	}
}
