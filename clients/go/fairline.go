// Package fairline verifies the tokens of a Fairline waiting room: entry tokens, and vwr tokens of tier 1. It needs the
// standard library only. The checks and their order are those of clients/README.md; clients/vectors.json tests them.
package fairline

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// Kind is the kind of a token.
type Kind string

const (
	EntryToken Kind = "entry" // the visitor was admitted to the event
	VWRToken   Kind = "vwr"   // the number of the device was served in tier 1
)

const (
	maxTokenLength   = 2048
	toleranceSeconds = 5
	lastSecond       = 8.64e12 // the last second of a date in JavaScript; JSON also has numbers like 1e400
	maxSafeInteger   = 1<<53 - 1
	guestPrefix      = "guest:"
)

// form: three parts in base64url. The last character of a signature has unused bits, which must be zero, so that a token
// has one spelling: 43 characters for HS256, 86 for EdDSA and ES256.
var form = regexp.MustCompile(`^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]|[A-Za-z0-9_-]{85}[AQgw])$`)
var guestKey = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)
var base64url = base64.RawURLEncoding.Strict()

// Options say what to trust. At least one of JWKSURL, JWKS, Secrets and VWRSecrets is required.
type Options struct {
	JWKSURL    string   // of the line: https://line.example.com/.well-known/jwks.json
	JWKS       []byte   // the key set itself, instead of a URL
	Secrets    []string // HS256: QUEUE_ENTRY_TOKEN_SECRET, then previous ones that are still accepted
	VWRSecrets []string // HS256: VWR_TOKEN_SECRET, then previous ones
	Issuer     string   // TOKEN_ISSUER of the line; default "fairline"
	Audience   string   // TOKEN_AUDIENCE of the line; default "fairline"
	HTTPClient *http.Client
	Now        func() time.Time
}

// Question is what a verifier needs to know of a request.
type Question struct {
	Kind     Kind    // default EntryToken
	Event    string  // the event that the request is about
	AnyEvent bool    // instead of Event: the caller compares Entry.Event itself
	User     *string // the id of the user whom the site has authenticated; nil: a guest, known by the cookie
	Cookie   string  // the Cookie header
	Header   *string // the header X-Queue-Entry-Token; nil: not sent
}

// Entry is the content of a good token.
type Entry struct {
	Event     string
	Visitor   string // of a vwr token: the device
	TokenID   string // the same for all tokens of one admission
	ExpiresAt time.Time
}

// Refusal is the error of a request without a good token.
type Refusal struct {
	Reason string // which check failed, for logs: missing, form, header, type, key, algorithm, signature, …
	Code   string // for the visitor: ENTRY_TOKEN_REQUIRED, ENTRY_TOKEN_INVALID, VWR_REQUIRED, VWR_TOKEN_INVALID
}

func (r *Refusal) Error() string { return r.Code + " (" + r.Reason + ")" }

// Verifier is safe for concurrent use.
type Verifier struct {
	issuer, audience string
	secrets          map[Kind]map[string]key // by kid
	public           *keySet
	now              func() time.Time
}

// New returns a Verifier. It fetches nothing yet.
func New(options Options) (*Verifier, error) {
	if options.JWKSURL == "" && options.JWKS == nil && len(options.Secrets) == 0 && len(options.VWRSecrets) == 0 {
		return nil, errors.New("fairline: nothing to verify with; set JWKSURL, JWKS or Secrets")
	}
	now := options.Now
	if now == nil {
		now = time.Now
	}
	public, err := newKeySet(options.JWKSURL, options.JWKS, options.HTTPClient, now)
	if err != nil {
		return nil, err
	}
	secrets := map[Kind]map[string]key{EntryToken: secretKeys(options.Secrets), VWRToken: secretKeys(options.VWRSecrets)}
	return &Verifier{orDefault(options.Issuer), orDefault(options.Audience), secrets, public, now}, nil
}

// CheckRequest checks the entry token of a request. user: as in Question.
func (v *Verifier) CheckRequest(r *http.Request, event string, user *string) (Entry, error) {
	return v.Check(r.Context(), QuestionOf(r, event, user))
}

// QuestionOf reads what Check needs from a request.
func QuestionOf(r *http.Request, event string, user *string) Question {
	question := Question{Event: event, User: user, Cookie: strings.Join(r.Header.Values("Cookie"), "; ")}
	if sent := r.Header.Values("X-Queue-Entry-Token"); len(sent) > 0 {
		header := strings.Join(sent, ", ")
		question.Header = &header
	}
	return question
}

// Check returns the content of the token, or a *Refusal.
func (v *Verifier) Check(ctx context.Context, question Question) (Entry, error) {
	if question.Kind == "" {
		question.Kind = EntryToken
	}
	token, found := findToken(question)
	if !found {
		return Entry{}, refuse(question.Kind, "missing")
	}
	claims, reason := v.verify(ctx, token, question.Kind)
	if reason != "" {
		return Entry{}, refuse(question.Kind, reason)
	}
	entry := Entry{
		Event:     claims["sub"].(string),
		Visitor:   claims["uid"].(string),
		TokenID:   claims["jti"].(string),
		ExpiresAt: time.UnixMilli(int64(claims["exp"].(float64) * 1000)),
	}
	if !question.AnyEvent && entry.Event != question.Event {
		return Entry{}, refuse(question.Kind, "event")
	}
	if !isCaller(question, entry.Visitor) {
		return Entry{}, refuse(question.Kind, "caller")
	}
	return entry, nil
}

func findToken(question Question) (string, bool) {
	if question.Kind == VWRToken {
		return readCookie(question.Cookie, "urr-vwr-token")
	}
	if question.Header != nil {
		return *question.Header, true
	}
	return readCookie(question.Cookie, "urr-entry-token")
}

// verify returns the claims of a genuine token that is in its time, or why it is none.
func (v *Verifier) verify(ctx context.Context, token string, kind Kind) (map[string]any, string) {
	if len(token) > maxTokenLength || !form.MatchString(token) {
		return nil, "form"
	}
	parts := strings.Split(token, ".")
	header := decodeObject(parts[0])
	if _, hasCritical := header["crit"]; header == nil || hasCritical {
		return nil, "header"
	}
	if header["typ"] != string(kind)+"+jwt" {
		return nil, "type"
	}
	kid, _ := header["kid"].(string)
	key, known := v.secrets[kind][kid]
	if !known && kid != "" {
		key, known = v.public.find(ctx, kid)
	}
	if !known {
		return nil, "key"
	}
	if header["alg"] != key.algorithm {
		return nil, "algorithm"
	}
	signature, err := base64url.DecodeString(parts[2])
	if err != nil || !key.verify([]byte(parts[0]+"."+parts[1]), signature) {
		return nil, "signature"
	}
	claims := decodeObject(parts[1])
	return claims, v.judge(claims, kind, key.algorithm)
}

// judge returns why genuine claims are refused, or "".
func (v *Verifier) judge(claims map[string]any, kind Kind, algorithm string) string {
	if !hasRightClaims(claims, kind) {
		return "claims"
	}
	// With a secret, the line names issuer and audience only if it is configured to.
	isOptional := algorithm == "HS256"
	if issuer, named := claims["iss"]; (named || !isOptional) && issuer != v.issuer {
		return "issuer"
	}
	if audience, named := claims["aud"]; (named || !isOptional) && !isFor(audience, v.audience) {
		return "audience"
	}
	now := float64(v.now().UnixMilli()) / 1000
	notBefore, _ := claims["nbf"].(float64)
	if now >= claims["exp"].(float64)+toleranceSeconds || notBefore > now+toleranceSeconds {
		return "time"
	}
	return ""
}

func hasRightClaims(claims map[string]any, kind Kind) bool {
	for _, name := range []string{"sub", "uid", "jti"} {
		if _, isText := claims[name].(string); !isText {
			return false
		}
	}
	for _, name := range []string{"exp", "nbf", "iat"} {
		value, named := claims[name]
		seconds, isNumber := value.(float64)
		if (named || name == "exp") && (!isNumber || math.Abs(seconds) > lastSecond) {
			return false
		}
	}
	if kind == EntryToken {
		return true
	}
	position, isNumber := claims["pos"].(float64)
	isPosition := isNumber && position == math.Trunc(position) && position > 0 && position <= maxSafeInteger
	return claims["tier"] == float64(1) && isPosition
}

// isFor: RFC 7519 allows one audience or a list.
func isFor(audience any, wanted string) bool {
	list, isList := audience.([]any)
	if !isList {
		return audience == wanted
	}
	for _, one := range list {
		if one == wanted {
			return true
		}
	}
	return false
}

// isCaller: a user is whom the site has authenticated. A guest proves the id by a secret in the cookie, whose hash it is;
// the signature of that cookie is for the line alone.
func isCaller(question Question, visitor string) bool {
	if question.Kind == VWRToken {
		return isSame(visitor, browserID(question.Cookie, "fairline-device", "device"))
	}
	if question.User != nil {
		return !strings.HasPrefix(*question.User, guestPrefix) && isSame(visitor, *question.User)
	}
	id := browserID(question.Cookie, "fairline-guest", "guest")
	return id != "" && isSame(visitor, guestPrefix+id)
}

// browserID is the id that the key in a guest or device cookie proves, or "".
func browserID(cookies, name, label string) string {
	token, found := readCookie(cookies, "__Host-"+name)
	if !found {
		token, _ = readCookie(cookies, name)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > maxTokenLength {
		return ""
	}
	secret, _ := decodeObject(parts[1])["key"].(string)
	if !guestKey.MatchString(secret) {
		return ""
	}
	digest := sha256.Sum256([]byte("fairline " + label + " " + secret))
	return base64.RawURLEncoding.EncodeToString(digest[:])[:16]
}

// isSame compares in constant time. Nobody is called "".
func isSame(visitor, caller string) bool {
	return caller != "" && subtle.ConstantTimeCompare([]byte(visitor), []byte(caller)) == 1
}

// readCookie returns the first cookie of that name. The value is taken as it is: parsers of frameworks unquote and decode.
func readCookie(header, name string) (string, bool) {
	for _, cookie := range strings.Split(header, ";") {
		cookie = strings.Trim(cookie, " \t")
		if strings.HasPrefix(cookie, name+"=") {
			return cookie[len(name)+1:], true
		}
	}
	return "", false
}

// decodeObject returns nil if the text is not a JSON object in base64url.
func decodeObject(encoded string) map[string]any {
	var object map[string]any
	content, err := base64url.DecodeString(encoded)
	if err != nil || json.Unmarshal(content, &object) != nil {
		return nil
	}
	return object
}

func secretKeys(secrets []string) map[string]key {
	keys := map[string]key{}
	for _, secret := range secrets {
		keys[secretKeyID(secret)] = key{"HS256", func(signed, signature []byte) bool {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write(signed)
			return hmac.Equal(mac.Sum(nil), signature)
		}}
	}
	return keys
}

// secretKeyID derives the kid from the secret, so that both sides know it.
func secretKeyID(secret string) string {
	digest := sha256.Sum256([]byte("fairline key id:" + secret))
	return base64.RawURLEncoding.EncodeToString(digest[:])[:8]
}

func refuse(kind Kind, reason string) *Refusal {
	code := map[Kind]string{EntryToken: "ENTRY_TOKEN_INVALID", VWRToken: "VWR_TOKEN_INVALID"}[kind]
	if reason == "missing" {
		code = map[Kind]string{EntryToken: "ENTRY_TOKEN_REQUIRED", VWRToken: "VWR_REQUIRED"}[kind]
	}
	return &Refusal{reason, code}
}

func orDefault(value string) string {
	if value == "" {
		return "fairline"
	}
	return value
}
