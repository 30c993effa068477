// Orders a service with a generated client, and receives its webhook.
//
// The client in the folder client was generated from the OpenAPI document; examples/README.md says how you generate one for all calls. It uses
// nothing but Go's standard library. No generated client verifies webhooks: that is webhook.Verify.
package main

import (
	"bytes"
	"context"
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

	"cardstock.example/go/client"
	webhook "cardstock.example/verify"
)

// Anybody can send a request. An event has a few kilobytes.
const bodyBytesMax = 262_144

// receive passes each verified event on. The secret is known only after the endpoint was registered.
func receive(secret <-chan string, events chan<- client.OperationEvent) http.HandlerFunc {
	known := sync.OnceValue(func() string { return <-secret })
	return func(response http.ResponseWriter, request *http.Request) {
		// The raw bytes: a body that was parsed and written again does not verify.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err == nil {
			err = webhook.Verify(body, request.Header.Get("Service-Signature"), known(), time.Now())
		}
		var event client.OperationEvent
		if err == nil {
			err = json.Unmarshal(body, &event)
		}
		if err != nil {
			fmt.Printf("Refused: %s.\n", err)
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		events <- event
	}
}

func newKey() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return fmt.Sprintf("%x", bytes)
}

// must ends the program if a call was refused, and prints the code and the message of the refusal.
func must(err error) {
	refused, isRefused := err.(*client.GenericOpenAPIError)
	if isRefused {
		log.Fatalf("%s: %s", refused.Error(), refused.Body())
	}
	if err != nil {
		log.Fatal(err)
	}
}

func connect() (*client.APIClient, context.Context) {
	base := os.Getenv("CARDSTOCK_URL")
	if base == "" {
		base = "http://127.0.0.1:8080"
	}
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: base}}
	configuration.HTTPClient = &http.Client{Timeout: 30 * time.Second}
	key := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("CARDSTOCK_API_KEY"))
	return client.NewAPIClient(configuration), key
}

func main() {
	api, ctx := connect()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	secret := make(chan string, 1)
	events := make(chan client.OperationEvent, 16)
	// The server waits 15 seconds for the answer.
	receiver := &http.Server{Handler: receive(secret, events), ReadTimeout: 15 * time.Second}
	go receiver.Serve(listener)
	url := fmt.Sprintf("http://%s/", listener.Addr())

	wanted := client.WebhookEndpointCreate{Url: url, Events: []string{"operation.completed"}}
	endpoint, _, err := api.WebhooksAPI.CreateWebhookEndpoint(ctx).WebhookEndpointCreate(wanted).Execute()
	must(err)
	secret <- endpoint.Secret // shown once: keep it

	// Somebody who does not know the secret gets nowhere.
	forged, err := http.Post(url, "application/json", bytes.NewBufferString(`{"type":"operation.completed"}`))
	must(err)
	forged.Body.Close()
	fmt.Printf("A forged request is answered with %d.\n", forged.StatusCode)

	funds := client.SandboxFundingCreate{Amount: "100.00"}
	_, _, err = api.SandboxAPI.CreditSandboxFunds(ctx).IdempotencyKey(newKey()).SandboxFundingCreate(funds).Execute()
	must(err)
	order := client.NewServiceOperationCreate("service", "20.00", "prod_service_esim", "ada@example.com")
	// The same key with every try: then a repeated request is carried out once.
	ordered := api.OperationsAPI.CreateOperation(ctx).IdempotencyKey(newKey())
	operation, _, err := ordered.OperationCreate(client.ServiceOperationCreateAsOperationCreate(order)).Execute()
	must(err)

	// An event may be delivered more than once; its id is the same each time. Keep the ids where they outlive the program.
	handled := map[string]bool{}
	deadline := time.After(time.Minute)
	for isDone := false; !isDone; {
		select {
		case event := <-events:
			isDone = event.Data.Id == operation.Id && !handled[event.Id]
			handled[event.Id] = true
			if isDone {
				fmt.Printf("Verified: operation %s is completed with receipt %s.\n", event.Data.Id, event.Data.Result.GetReceipt())
			}
		case <-deadline:
			log.Fatal("No event arrived within a minute.")
		}
	}
	_, err = api.WebhooksAPI.DeleteWebhookEndpoint(ctx, endpoint.Id).Execute()
	must(err)
	must(receiver.Close())
}
