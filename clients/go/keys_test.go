package fairline

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const edKey = `{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"%s"}`

// source is a line whose key set a test changes.
type source struct {
	answer  atomic.Pointer[string]
	status  atomic.Int32
	fetches atomic.Int32
	now     time.Time
	set     *keySet
}

func startSource(t *testing.T, kids ...string) *source {
	t.Helper()
	s := &source{now: time.Unix(1_800_000_000, 0)}
	s.status.Store(http.StatusOK)
	s.publish(kids...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fetches.Add(1)
		if s.status.Load() == http.StatusFound {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(int(s.status.Load()))
		fmt.Fprint(w, *s.answer.Load())
	}))
	t.Cleanup(server.Close)
	set, err := newKeySet(server.URL, nil, nil, func() time.Time { return s.now })
	if err != nil {
		t.Fatal(err)
	}
	s.set = set
	return s
}

func (s *source) publish(kids ...string) {
	keys := []string{}
	for _, kid := range kids {
		keys = append(keys, fmt.Sprintf(edKey, kid))
	}
	document := `{"keys":[` + strings.Join(keys, ",") + `]}`
	s.answer.Store(&document)
}

func (s *source) expect(t *testing.T, kid string, known bool, fetches int32) {
	t.Helper()
	if _, found := s.set.find(context.Background(), kid); found != known || s.fetches.Load() != fetches {
		t.Errorf("%s: known %v after %d fetches; want %v after %d", kid, found, s.fetches.Load(), known, fetches)
	}
}

func TestKeysAreFetchedOnceAndRefreshed(t *testing.T) {
	s := startSource(t, "a")
	s.expect(t, "a", true, 1)
	s.expect(t, "a", true, 1)
	s.now = s.now.Add(refreshEvery)
	s.publish("b")
	s.expect(t, "a", false, 2) // retired
	s.expect(t, "b", true, 2)
}

func TestUnknownKeysAreFetchedAtMostOnceASecond(t *testing.T) {
	s := startSource(t, "a")
	s.expect(t, "a", true, 1)
	s.publish("a", "b")
	for range [50]int{} {
		s.expect(t, "b", false, 1)
	}
	s.now = s.now.Add(unknownEvery)
	s.expect(t, "b", true, 2)
	for range [50]int{} {
		s.expect(t, "nobody's", false, 2)
	}
}

func TestKnownKeysStayWhileTheSourceIsAway(t *testing.T) {
	s := startSource(t, "a")
	s.expect(t, "a", true, 1)
	garbage, list, long := "<html>", `{"keys":"none"}`, `{"keys":[],"x":"`+strings.Repeat("x", maxKeySetBytes)+`"}`
	for fetches, away := range []struct {
		status int32
		answer *string
	}{{500, &list}, {200, &garbage}, {200, &list}, {200, &long}, {302, &list}} {
		s.status.Store(away.status)
		s.answer.Store(away.answer)
		s.now = s.now.Add(time.Hour)
		s.expect(t, "a", true, int32(fetches+2))
	}
}

func TestOneOfManyCallersFetches(t *testing.T) {
	s := startSource(t, "a")
	var callers sync.WaitGroup
	var found atomic.Int32
	for range [50]int{} {
		callers.Add(1)
		go func() {
			defer callers.Done()
			if _, known := s.set.find(context.Background(), "a"); known {
				found.Add(1)
			}
		}()
	}
	callers.Wait()
	if found.Load() != 50 || s.fetches.Load() != 1 {
		t.Errorf("%d of 50 found the key after %d fetches", found.Load(), s.fetches.Load())
	}
}

func TestKeysOfAnyShapeDoNoHarm(t *testing.T) {
	document := `{"keys":[{"kid":["a"],"crv":["P-256"]},{"kid":"b","crv":{},"kty":[]},{},` + fmt.Sprintf(edKey, "a") + `]}`
	keys, err := readKeys([]byte(document))
	if err != nil || len(keys) != 1 {
		t.Errorf("%d keys, %v", len(keys), err)
	}
}
