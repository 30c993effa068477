"""Verifies the webhooks of Cardstock."""
import hashlib
import hmac
import json
import re
import time


def verify_webhook(body: bytes, header: str, secret: str, now=None):
    """Returns the event of a genuine request; raises ValueError for any other. `body` is exactly what arrived."""
    if not secret:
        raise ValueError("the webhook secret is empty")
    fields = [field.strip().split("=", 1) for field in (header or "").split(",")]
    times = [f[1] for f in fields if len(f) == 2 and f[0] == "t"]
    signatures = [f[1] for f in fields if len(f) == 2 and f[0] == "v1" and re.fullmatch("[0-9a-f]{64}", f[1])]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,12}", times[0]) or not signatures:
        raise ValueError("malformed signature")
    if abs((int(time.time()) if now is None else now) - int(times[0])) > 300:
        raise ValueError("too old, or from the future")
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    if not any([hmac.compare_digest(expected, signature) for signature in signatures]):
        raise ValueError("wrong signature")
    return json.loads(body)
