package fairline

import (
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	refreshEvery   = 5 * time.Second // a retired key is refused this soon
	unknownEvery   = time.Second     // at most one fetch a second for keys that nobody knows
	fetchTimeout   = 2 * time.Second
	maxKeySetBytes = 64 * 1024
	maxKeys        = 100
)

// key fixes its algorithm, so that a token cannot choose one.
type key struct {
	algorithm string
	verify    func(signed, signature []byte) bool
}

// keySet holds the public keys of the line. While its source is away, the keys that are known stay in use.
type keySet struct {
	url    string
	client *http.Client
	now    func() time.Time

	current atomic.Pointer[fetchedKeys]
	mutex   sync.Mutex // held while fetching
	triedAt time.Time  // guarded by mutex
}

type fetchedKeys struct {
	keys map[string]key
	at   time.Time
}

func newKeySet(url string, document []byte, client *http.Client, now func() time.Time) (*keySet, error) {
	if client == nil {
		client = &http.Client{Timeout: fetchTimeout}
	}
	set := &keySet{url: url, client: client, now: now}
	if document != nil {
		keys, err := readKeys(document)
		if err != nil {
			return nil, err
		}
		set.current.Store(&fetchedKeys{keys: keys})
	}
	return set, nil
}

// find waits for a fetch only if the key is unknown and a fetch is due, or if this caller is the one that refreshes.
func (s *keySet) find(ctx context.Context, kid string) (key, bool) {
	found, known, age := s.lookUp(kid)
	if s.url == "" || (known && age < refreshEvery) {
		return found, known
	}
	if known {
		// One caller refreshes; the others use what is known.
		if s.mutex.TryLock() {
			s.fetchIfDue(ctx, refreshEvery)
			s.mutex.Unlock()
		}
	} else {
		s.mutex.Lock()
		s.fetchIfDue(ctx, unknownEvery)
		s.mutex.Unlock()
	}
	found, known, _ = s.lookUp(kid)
	return found, known
}

func (s *keySet) lookUp(kid string) (key, bool, time.Duration) {
	current := s.current.Load()
	if current == nil {
		return key{}, false, 0
	}
	found, known := current.keys[kid]
	return found, known, s.now().Sub(current.at)
}

func (s *keySet) fetchIfDue(ctx context.Context, every time.Duration) {
	if !s.triedAt.IsZero() && s.now().Sub(s.triedAt) < every {
		return
	}
	s.triedAt = s.now()
	// A visitor who goes away must not leave the next one without keys.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
	defer cancel()
	if keys, err := s.fetch(ctx); err == nil {
		s.current.Store(&fetchedKeys{keys, s.now()})
	}
}

func (s *keySet) fetch(ctx context.Context) (map[string]key, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	// A copy of the client: keys come from the address that was configured, not from where it redirects to.
	client := *s.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fairline: %s answered %d", s.url, response.StatusCode)
	}
	document, err := io.ReadAll(io.LimitReader(response.Body, maxKeySetBytes+1))
	if err != nil {
		return nil, err
	}
	if len(document) > maxKeySetBytes {
		return nil, fmt.Errorf("fairline: the key set of %s exceeds %d bytes", s.url, maxKeySetBytes)
	}
	return readKeys(document)
}

// readKeys skips keys that it cannot use, so that a new kind of key harms no old verifier.
func readKeys(document []byte) (map[string]key, error) {
	var set struct {
		Keys []map[string]any `json:"keys"`
	}
	if err := json.Unmarshal(document, &set); err != nil || set.Keys == nil {
		return nil, errors.New("fairline: not a JSON Web Key Set; expected {\"keys\": [...]}")
	}
	keys := map[string]key{}
	for _, jwk := range set.Keys {
		kid, _ := jwk["kid"].(string)
		if _, known := keys[kid]; known || kid == "" || len(keys) == maxKeys {
			continue
		}
		if read, usable := readKey(jwk); usable {
			keys[kid] = read
		}
	}
	return keys, nil
}

func readKey(jwk map[string]any) (key, bool) {
	if use, named := jwk["use"]; named && use != "sig" {
		return key{}, false
	}
	curve, _ := jwk["crv"].(string)
	algorithm := map[string]string{"Ed25519": "EdDSA", "P-256": "ES256"}[curve]
	if alg, named := jwk["alg"]; algorithm == "" || (named && alg != algorithm) {
		return key{}, false
	}
	x := decodeField(jwk, "x")
	if len(x) != 32 {
		return key{}, false
	}
	if algorithm == "EdDSA" {
		return key{algorithm, func(signed, signature []byte) bool {
			return len(signature) == ed25519.SignatureSize && ed25519.Verify(x, signed, signature)
		}}, jwk["kty"] == "OKP"
	}
	point := append(append([]byte{4}, x...), decodeField(jwk, "y")...)
	if _, err := ecdh.P256().NewPublicKey(point); err != nil {
		return key{}, false // not a point of the curve
	}
	public := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(point[33:])}
	return key{algorithm, func(signed, signature []byte) bool {
		if len(signature) != 64 {
			return false
		}
		digest := sha256.Sum256(signed)
		r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
		return ecdsa.Verify(public, digest[:], r, s)
	}}, jwk["kty"] == "EC"
}

func decodeField(jwk map[string]any, name string) []byte {
	text, _ := jwk[name].(string)
	content, err := base64url.DecodeString(text)
	if err != nil {
		return nil
	}
	return content
}
