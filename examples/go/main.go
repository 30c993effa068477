// Orders a service and receives its webhook, with nothing but Go's standard library.
//
// The requests are written by hand, so that the program runs without downloading anything. A client for all calls can be generated from
// /openapi.json of your server, such as with openapi-generator; no generated client verifies webhooks, so keep webhook.Verify.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	webhook "cardstock.example/verify"
)

// Anybody can send a request. An event has a few kilobytes.
const bodyBytesMax = 262_144

var base = os.Getenv("CARDSTOCK_URL")
var key = os.Getenv("CARDSTOCK_API_KEY")
var client = &http.Client{Timeout: 30 * time.Second}

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Data struct {
		ID     string `json:"id"`
		Result struct {
			Receipt string `json:"receipt"`
		} `json:"result"`
	} `json:"data"`
}

// call sends one request and parses the answer into result, unless that is nil.
func call(method, path string, body any, idempotencyKey string, result any) error {
	var payload bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&payload).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, base+path, &payload)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(text, result)
}

// receive passes each verified event on. The secret is known only after the endpoint was registered.
func receive(secret <-chan string, events chan<- event) http.HandlerFunc {
	known := sync.OnceValue(func() string { return <-secret })
	return func(response http.ResponseWriter, request *http.Request) {
		// The raw bytes: a body that was parsed and written again does not verify.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err == nil {
			err = webhook.Verify(body, request.Header.Get("Service-Signature"), known(), time.Now())
		}
		var received event
		if err == nil {
			err = json.Unmarshal(body, &received)
		}
		if err != nil {
			fmt.Printf("Refused: %s.\n", err)
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		events <- received
	}
}

func newKey() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return fmt.Sprintf("%x", bytes)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	if base == "" {
		base = "http://127.0.0.1:8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	secret := make(chan string, 1)
	events := make(chan event, 16)
	// The server waits 15 seconds for the answer.
	receiver := &http.Server{Handler: receive(secret, events), ReadTimeout: 15 * time.Second}
	go receiver.Serve(listener)
	url := fmt.Sprintf("http://%s/", listener.Addr())

	var endpoint struct{ ID, Secret string }
	wanted := map[string]any{"url": url, "events": []string{"operation.completed"}}
	must(call("POST", "/api/v1/webhook-endpoints", wanted, "", &endpoint))
	secret <- endpoint.Secret // shown once: keep it

	// Somebody who does not know the secret gets nowhere.
	forged, err := http.Post(url, "application/json", bytes.NewBufferString(`{"type":"operation.completed"}`))
	must(err)
	forged.Body.Close()
	fmt.Printf("A forged request is answered with %d.\n", forged.StatusCode)

	must(call("POST", "/api/v1/sandbox/funding", map[string]string{"amount": "100.00"}, newKey(), nil))
	order := map[string]string{
		"type": "service", "productId": "prod_service_esim", "recipient": "ada@example.com", "amount": "20.00",
	}
	// The same key with every try: then a repeated request is carried out once.
	must(call("POST", "/api/v1/operations", order, newKey(), nil))

	// An event may be delivered more than once; its id is the same each time. Keep the ids where they outlive the program.
	handled := map[string]bool{}
	deadline := time.After(time.Minute)
	for isDone := false; !isDone; {
		select {
		case received := <-events:
			isDone = received.Type == "operation.completed" && !handled[received.ID]
			handled[received.ID] = true
			if isDone {
				fmt.Printf("Verified: operation %s is completed with receipt %s.\n", received.Data.ID, received.Data.Result.Receipt)
			}
		case <-deadline:
			log.Fatal("No event arrived within a minute.")
		}
	}
	must(call("DELETE", "/api/v1/webhook-endpoints/"+endpoint.ID, nil, "", nil))
	must(receiver.Close())
}
