"""Orders a service and receives its webhook, with nothing but Python's standard library.

The requests are written by hand, so that the program runs without installing anything. A client for all calls can be generated from
/openapi.json of your server, such as with openapi-python-client; no generated client verifies webhooks, so keep verify_webhook.
"""
import json
import os
import sys
import threading
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "verify"))
from verify import verify_webhook  # noqa: E402

BASE = os.environ.get("CARDSTOCK_URL", "http://127.0.0.1:8080")
KEY = os.environ["CARDSTOCK_API_KEY"]
# Anybody can send a request. An event has a few kilobytes.
BODY_BYTES_MAX = 262_144

secret = ""
handled = set()
done = threading.Event()


def call(method, path, body=None, idempotency_key=None):
    """Sends one request and returns the parsed answer; raises urllib.error.HTTPError for a refusal."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    if idempotency_key is not None:
        headers["Idempotency-Key"] = idempotency_key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
        return json.loads(text) if text else None


class Receiver(BaseHTTPRequestHandler):
    # The server waits 15 seconds for the answer.
    timeout = 15

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length", "0"))
            if not 0 <= length <= BODY_BYTES_MAX:
                raise ValueError("the body is too large")
            # The raw bytes: a body that was parsed and written again does not verify.
            event = verify_webhook(self.rfile.read(length), self.headers.get("Service-Signature"), secret)
        except ValueError as error:
            print(f"Refused: {error}.", flush=True)
            return self.answer(400)
        self.answer(204)
        # An event may be delivered more than once; its id is the same each time. Keep the ids where they outlive the program.
        if event["id"] in handled:
            return
        handled.add(event["id"])
        if event["type"] == "operation.completed":
            operation = event["data"]
            print(f"Verified: operation {operation['id']} is completed with receipt {operation['result']['receipt']}.", flush=True)
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

endpoint = call("POST", "/api/v1/webhook-endpoints", {"url": url, "events": ["operation.completed"]})
secret = endpoint["secret"]  # shown once: keep it

# Somebody who does not know the secret gets nowhere.
try:
    urllib.request.urlopen(url, b'{"type":"operation.completed"}', timeout=30)
except urllib.error.HTTPError as error:
    print(f"A forged request is answered with {error.code}.", flush=True)

call("POST", "/api/v1/sandbox/funding", {"amount": "100.00"}, str(uuid.uuid4()))
order = {"type": "service", "productId": "prod_service_esim", "recipient": "ada@example.com", "amount": "20.00"}
# The same key with every try: then a repeated request is carried out once.
call("POST", "/api/v1/operations", order, str(uuid.uuid4()))

if not done.wait(60):
    sys.exit("No event arrived within a minute.")
call("DELETE", f"/api/v1/webhook-endpoints/{endpoint['id']}")
receiver.shutdown()
