// Text that PostgreSQL cannot store, in text or in jsonb: U+0000, and halves of surrogate pairs. In JSON that was made by
// JSON.stringify both are escapes, so that one pass over the text finds them at any depth.

/** Matches an escaped backslash too, so that the characters after it do not look like an escape. */
const UNSTORABLE = /\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g
const BACKSLASH = '\\\\'

export function isStorable(json: string): boolean {
  return [...json.matchAll(UNSTORABLE)].every(([found]) => found === BACKSLASH)
}

export function toStorable(json: string): string {
  return json.replaceAll(UNSTORABLE, (found) => (found === BACKSLASH ? found : '\ufffd'))
}
