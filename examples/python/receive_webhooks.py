"""Orders a service with a generated client, and receives its webhook.

The client in the folder cardstock_client was generated from the OpenAPI document; examples/README.md says how you generate one for all calls.
It needs the packages of requirements.txt. No generated client verifies webhooks: that is verify_webhook.
"""
import os
import sys
import threading
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from cardstock_client import (
    ApiClient,
    Configuration,
    OperationCreate,
    OperationEvent,
    OperationsApi,
    SandboxApi,
    SandboxFundingCreate,
    ServiceOperationCreate,
    WebhookEndpointCreate,
    WebhooksApi,
)

sys.path.insert(0, str(Path(__file__).parent.parent / "verify"))
from verify import verify_webhook  # noqa: E402

# Anybody can send a request. An event has a few kilobytes.
BODY_BYTES_MAX = 262_144

secret = ""
handled = set()
done = threading.Event()


class Receiver(BaseHTTPRequestHandler):
    # The server waits 15 seconds for the answer.
    timeout = 15

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length", "0"))
            if not 0 <= length <= BODY_BYTES_MAX:
                raise ValueError("the body is too large")
            # The raw bytes: a body that was parsed and written again does not verify.
            verified = verify_webhook(self.rfile.read(length), self.headers.get("Service-Signature"), secret)
            event = OperationEvent.from_dict(verified)
        except ValueError as error:
            print(f"Refused: {error}.", flush=True)
            return self.answer(400)
        self.answer(204)
        # An event may be delivered more than once; its id is the same each time. Keep the ids where they outlive the program.
        if event.id in handled:
            return
        handled.add(event.id)
        if event.type == "operation.completed":
            operation = event.data
            print(f"Verified: operation {operation.id} is completed with receipt {operation.result.receipt}.", flush=True)
            done.set()

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Prints nothing: the program prints what matters."""


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{receiver.server_port}/"

configuration = Configuration(
    host=os.environ.get("CARDSTOCK_URL", "http://127.0.0.1:8080"),
    access_token=os.environ["CARDSTOCK_API_KEY"],
)
# A refusal raises ApiException, whose data.code says which one.
with ApiClient(configuration) as client:
    webhooks = WebhooksApi(client)
    endpoint = webhooks.create_webhook_endpoint(WebhookEndpointCreate(url=url, events=["operation.completed"]))
    secret = endpoint.secret  # shown once: keep it

    # Somebody who does not know the secret gets nowhere.
    try:
        urllib.request.urlopen(url, b'{"type":"operation.completed"}', timeout=30)
    except urllib.error.HTTPError as error:
        print(f"A forged request is answered with {error.code}.", flush=True)

    SandboxApi(client).credit_sandbox_funds(str(uuid.uuid4()), SandboxFundingCreate(amount="100.00"))
    order = ServiceOperationCreate(
        type="service", product_id="prod_service_esim", recipient="ada@example.com", amount="20.00"
    )
    # The same key with every try: then a repeated request is carried out once.
    OperationsApi(client).create_operation(str(uuid.uuid4()), OperationCreate(order))

    if not done.wait(60):
        sys.exit("No event arrived within a minute.")
    webhooks.delete_webhook_endpoint(endpoint.id)
receiver.shutdown()
