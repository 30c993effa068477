<?php
// Verifies the webhooks of Cardstock. $body = file_get_contents('php://input');
// $header = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? '';

/** Returns the event of a genuine request; throws for any other. */
function verify_webhook(string $body, string $header, string $secret, ?int $now = null): array
{
    if ($secret === '') throw new RuntimeException('the webhook secret is empty');
    preg_match_all('/(?:^|,)\s*t=([^,]*)/', $header, $times);
    preg_match_all('/(?:^|,)\s*v1=([0-9a-f]{64})(?=,|$)/D', $header, $signatures);
    if (count($times[1]) !== 1 || !preg_match('/^[0-9]{1,12}$/D', $times[1][0]) || count($signatures[1]) === 0) {
        throw new RuntimeException('malformed signature');
    }
    if (abs(($now ?? time()) - (int) $times[1][0]) > 300) throw new RuntimeException('too old, or from the future');
    $expected = hash_hmac('sha256', $times[1][0] . '.' . $body, $secret);
    $matches = false;
    foreach ($signatures[1] as $signature) $matches = hash_equals($expected, $signature) || $matches;
    if (!$matches) throw new RuntimeException('wrong signature');
    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
}
