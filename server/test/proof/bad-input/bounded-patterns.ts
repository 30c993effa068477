// Regular expressions that the checker does not call safe, each with the reason why no client can make one slow.

/** Keyed by the literal. The slowest takes quadratic time, which is harmless for inputs of a few thousand characters. */
export const BOUNDED: Readonly<Record<string, string>> = {
  '/\\/+$/':
    'server: PUBLIC_URL, a setting of the operator; sdk: baseUrl, which the program that uses the SDK passes in.',
  '/<[^>]*>/g': 'The HTML of our own guides and descriptions, which is made when the server starts.',
  '/0+$/': 'Six digits: the fraction of a rate that was computed from an integer.',
  '/\\B(?=(\\d{3})+\\.)/g': 'A figure of a statement that the server formatted itself: at most 20 digits.',
  '/\\.+$/': 'The host of a URL, which has at most 2048 characters and in which a parser has refused repeated dots.',
  '/^\\s*(\\d+)\\s+(-?\\d+)\\s+(.*)$/':
    'A line of the output of ps, when the server looks for a private database that was left behind.',
  '/[a-z]{2,8}_[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g':
    'No repetition is longer than 32 characters, so that the time for each character of the text is bounded.',
  '/[^\\s@]{1,64}(?:@|%40)[^\\s@]{1,255}/gi':
    'No repetition is longer than 255 characters, so that the time for each character of the text is bounded.',
  '/[\\w.+-]{1,64}@(?:[a-z\\d-]{1,63}\\.){1,8}[a-z]{2,24}/gi':
    'No repetition is longer than 64 characters or eight labels, so that the time for each character of the text is bounded.',
  '/\\.?0*$/': 'console: a rate of the catalogue, at most eight characters, in the browser of whoever looks at it.',
  '/\\B(?=(\\d{3})+$)/g': 'console: an amount that the server formatted, in the browser of whoever looks at it.',
}

/**
 * The files that build a regular expression from text, each with the expressions to check. The text is
 * always our own: a route, a list of words, a pattern of a schema. If the expression depends on the text, one example is listed.
 */
export const CONSTRUCTED: Readonly<Record<string, readonly RegExp[]>> = {
  'server/src/access/tokens.ts': [/^cstk_(sandbox|live|operator)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/],
  // Those of the fields of the providers below.
  'server/src/adapter/holder-details/check.ts': [/^\S(.{0,98}\S)?$/u],
  'server/src/adapter/providers/lithic/holder-fields.ts': [/^\S(.{0,98}\S)?$/],
  'server/src/adapter/providers/stripe/holder-fields.ts': [
    /^[A-Za-zÀ-ÖØ-öø-ÿ]([A-Za-zÀ-ÖØ-öø-ÿ.,' -]{0,48}[A-Za-zÀ-ÖØ-öø-ÿ.])?$/,
  ],
  'server/src/cli/maintenance/doctor/checks.ts': [/^issuer_calls_stopped\{environment="(\w+)",call="(\w+)"\} 1$/gm],
  'server/src/db/unavailable.ts': [/Connection terminated|timeout expired|Query read timeout|Client was closed/],
  'server/src/http/served-file.ts': [/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/],
  'server/src/http/route-table.ts': [/^\/admin\/v1\/companies\/[^/]+\/keys\/[^/]+\/rotate$/],
  'server/src/lib/money.ts': [/^\d+(\.\d{1,2})?$/],
  'server/src/tron/usdt.ts': [/^\d{1,9}(\.\d{1,6})?$/],
  // Those of amounts in dollars and in USDT.
  'console/src/lib/amount.ts': [/^\d{1,10}(\.\d{1,2})?$/],
  'console/src/api/place.ts': [/^\/c\/([\w-]{1,100})\/(sandbox|live)(?=\/|$)/],
  'console/src/pages/developers/request-log/samples.ts': [/^GET \/api\/v1\/events\/([^/]+)\/attempts$/],
  // The patterns of the OpenAPI document, of which this is the longest. The server checks requests with the same ones.
  'sdk/src/mock/validate.ts': [
    // oxlint-disable-next-line no-control-regex -- it refuses control characters
    /^[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFF]*[^\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069 \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFF][^\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]*$/u,
  ],
  'docs-site/assets/try-it.js': [/("cardId": )"[^"]*"/g],
}
