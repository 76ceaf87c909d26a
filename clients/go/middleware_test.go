package fairline

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// startSite protects /shop/{event}; everything else is open.
func startSite(t *testing.T) (site http.Handler, token string) {
	t.Helper()
	file := readVectors(t)
	good := file.Vectors[0]
	verifier, err := New(Options{JWKS: file.JWKS, Now: func() time.Time { return time.Unix(good.Now, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	protection := Protection{
		Event: func(r *http.Request) (string, bool) { return strings.CutPrefix(r.URL.Path, "/shop/") },
		User: func(r *http.Request) (string, bool) {
			id, _, signedIn := r.BasicAuth()
			return id, signedIn
		},
	}
	return verifier.Protect(protection, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entry, admitted := Admitted(r.Context())
		_ = json.NewEncoder(w).Encode(map[string]any{"admitted": admitted, "visitor": entry.Visitor})
	})), good.Cookie
}

func ask(site http.Handler, method, target string, header map[string]string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, nil)
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response := httptest.NewRecorder()
	site.ServeHTTP(response, request)
	return response
}

func TestMiddleware(t *testing.T) {
	site, cookie := startSite(t)
	expect := func(name string, response *httptest.ResponseRecorder, status int, location, body string) {
		t.Helper()
		at := response.Header().Get("Location")
		if response.Code != status || at != location || !strings.Contains(response.Body.String(), body) {
			t.Errorf("%s: %d %q %s; want %d %q %s", name, response.Code, at, response.Body, status, location, body)
		}
	}
	page := map[string]string{"Accept": "text/html"}
	expect("open page", ask(site, "GET", "/about", nil), 200, "", `"admitted":false`)
	expect("admitted", ask(site, "GET", "/shop/concert", map[string]string{"Cookie": cookie}), 200, "", `"visitor":"guest:`)
	expect("page", ask(site, "GET", "/shop/concert?row=4&x=%2F", page), 302, "/queue/concert?to=%2Fshop%2Fconcert%3Frow%3D4%26x%3D%252F", "")
	expect("another event", ask(site, "GET", "/shop/other", map[string]string{"Cookie": cookie, "Accept": "text/html"}), 302, "/queue/other?to=%2Fshop%2Fother", "")
	expect("script", ask(site, "GET", "/shop/concert", map[string]string{"Sec-Fetch-Dest": "empty", "Accept": "text/html"}), 403, "", `"code":"ENTRY_TOKEN_REQUIRED"`)
	expect("form", ask(site, "POST", "/shop/concert", page), 403, "", `"redirectTo":"/queue/concert"`)
	expect("no event", ask(site, "GET", "/shop/", page), 302, "/queue", "")
	expect("strange event", ask(site, "GET", "/shop/%0d%0aevil", page), 302, "/queue", "")
	expect("signed in as another", ask(site, "GET", "/shop/concert", map[string]string{"Cookie": cookie, "Authorization": "Basic bWluYTo="}), 403, "", `"code":"ENTRY_TOKEN_INVALID"`)
	if response := ask(site, "GET", "/shop/concert", page); response.Header().Get("Cache-Control") != "no-store" {
		t.Error("a refusal must not be cached")
	}
}

func TestNothingToVerifyWith(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("a verifier without keys must not start")
	}
}
