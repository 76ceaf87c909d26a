// A small shop: the pages below /shop/{event} are for visitors who were admitted to that event.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"fairline"
)

func main() {
	verifier, err := fairline.New(fairline.Options{JWKSURL: os.Getenv("LINE_URL") + "/.well-known/jwks.json"})
	if err != nil {
		log.Fatal(err)
	}
	shop := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if entry, admitted := fairline.Admitted(r.Context()); admitted {
			fmt.Fprintf(w, "Tickets of %s for %s", entry.Event, entry.Visitor)
			return
		}
		fmt.Fprint(w, "Welcome")
	})
	protected := verifier.Protect(fairline.Protection{
		Event: func(r *http.Request) (string, bool) { return strings.CutPrefix(r.URL.Path, "/shop/") },
	}, shop)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), protected))
}
