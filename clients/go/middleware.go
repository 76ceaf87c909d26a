package fairline

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Protection says which requests need an entry token.
type Protection struct {
	// Event returns the event that a request is about; protected false: the request needs no token.
	Event func(*http.Request) (event string, protected bool)
	// User returns the id of the user whom your site has authenticated, as in the token that it gives to Fairline.
	// nil, or signedIn false: the visitor is a guest.
	User func(*http.Request) (id string, signedIn bool)
	// OnRefusal is for logs and metrics.
	OnRefusal func(*http.Request, *Refusal)
}

type contextKey struct{}

// Admitted returns the entry of a request that Protect has let pass.
func Admitted(ctx context.Context) (Entry, bool) {
	entry, admitted := ctx.Value(contextKey{}).(Entry)
	return entry, admitted
}

// Protect passes requests of admitted visitors. It redirects page loads to the waiting page, and answers everything else
// with 403 and the address of that page.
func (v *Verifier) Protect(protection Protection, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, protected := protection.Event(r)
		if !protected {
			next.ServeHTTP(w, r)
			return
		}
		var user *string
		if protection.User != nil {
			if id, signedIn := protection.User(r); signedIn {
				user = &id
			}
		}
		entry, err := v.CheckRequest(r, event, user)
		var refusal *Refusal
		if errors.As(err, &refusal) {
			if protection.OnRefusal != nil {
				protection.OnRefusal(r, refusal)
			}
			sendToWait(w, r, event, refusal)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, entry)))
	})
}

var eventID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// wantedPage: a path of this site. The line checks it again.
var wantedPage = regexp.MustCompile(`^/(?:[\x21\x22\x24-\x2e\x30-\x5b\x5d-\x7e][\x21\x22\x24-\x5b\x5d-\x7e]*)?$`)

func sendToWait(w http.ResponseWriter, r *http.Request, event string, refusal *Refusal) {
	isPage := isPageLoad(r)
	to := "/queue"
	if eventID.MatchString(event) {
		to += "/" + event
		if page := r.URL.RequestURI(); isPage && len(page) <= 1024 && wantedPage.MatchString(page) {
			to += "?to=" + url.QueryEscape(page)
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	if isPage {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error":      map[string]string{"code": refusal.Code, "message": "This page needs an admission of the waiting room."},
		"redirectTo": to,
	})
}

// isPageLoad: browsers say what they load. A form or a script would lose its content by a redirect.
func isPageLoad(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if loads := r.Header.Get("Sec-Fetch-Dest"); loads != "" {
		return loads == "document"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}
