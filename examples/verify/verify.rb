# Verifies the webhooks of Cardstock. In Rails: verify_webhook(request.raw_post, request.headers["Service-Signature"], secret)
require "json"
require "openssl"

# Returns the event of a genuine request; raises ArgumentError for any other. body is exactly what arrived.
def verify_webhook(body, header, secret, now: Time.now.to_i)
  raise ArgumentError, "the webhook secret is empty" if secret.to_s.empty?
  fields = header.to_s.split(",").map { |field| field.strip.split("=", 2) }
  times = fields.filter_map { |name, value| value if name == "t" }
  signatures = fields.filter_map { |name, value| value if name == "v1" && value.match?(/\A[0-9a-f]{64}\z/) }
  raise ArgumentError, "malformed signature" unless times.one? && times[0].match?(/\A[0-9]{1,12}\z/) && signatures.any?
  raise ArgumentError, "too old, or from the future" if (now - times[0].to_i).abs > 300
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{times[0]}.".b + body.b)
  matches = signatures.map { |signature| OpenSSL.fixed_length_secure_compare(expected, signature) }
  raise ArgumentError, "wrong signature" unless matches.any?
  JSON.parse(body)
end
