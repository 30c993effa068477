// Finds what no log may keep: secrets of this server, digits of cards and e-mail addresses. Ids are kept, although they are full of
// digits: a log is there to find what they name. Every pattern takes linear time.

/** An id on the wire, or a UUID as in X-Request-Id. No card number has this form. */
const ID = /[a-z]{2,8}_[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** A key, a webhook secret or the digits of a card, also with spaces and hyphens between their characters. */
const SECRET = /c[\s-]*s[\s-]*t[\s-]*k[\s-]*_|w[\s-]*h[\s-]*s[\s-]*e[\s-]*c[\s-]*_|(?:\d[\s-]*){12}/i
/** Whatever stands on both sides of an `@`, which paths may encode. The lengths are those of RFC 5321. */
const EMAIL = /[^\s@]{1,64}(?:@|%40)[^\s@]{1,255}/gi

/** Reports whether a text has a secret of this server or the digits of a card in it. */
export function hasSecret(text: string): boolean {
  return SECRET.test(text) && SECRET.test(text.replaceAll(ID, ' '))
}

/** Replaces every e-mail address, however unusual. */
export function replaceEmails(text: string, by: string): string {
  return text.includes('@') || text.includes('%') ? text.replaceAll(EMAIL, by) : text
}

const OWN_TOKEN = /(?:cstk|whsec)_/i
const JSON_WEB_TOKEN = /^eyJ[\w-]+\.[\w-]+\./
/** Thirteen to nineteen digits that are not part of something longer, such as a trace id in hexadecimal. */
const CARD_NUMBER = /(?<![\da-z])\d(?:-?\d){12,18}(?![\da-z])/gi

/**
 * Reports whether an id that a client chose is a secret. More is accepted than in a text: many clients use numbers as ids, so digits
 * count as a card only with the right check digit.
 */
export function isSecretId(id: string): boolean {
  if (OWN_TOKEN.test(id) || JSON_WEB_TOKEN.test(id)) return true
  const numbers = id.replaceAll(ID, ' ').match(CARD_NUMBER) ?? []
  return numbers.some((number) => hasCheckDigit(number.replaceAll('-', '')))
}

/** The check digit of card numbers (ISO/IEC 7812), by Luhn: every second digit counts twice. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.at(-1 - place))
    const counted = place % 2 === 0 ? digit : digit * 2
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** Less than EMAIL finds: a stack names packages with their versions, such as `pg@8.1.0`. A top-level domain has letters only. */
const ADDRESS = /[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}/gi
const TOKEN = /(?:cstk|whsec)_\w+/gi

/** Returns the text without secrets and e-mail addresses, for messages that other programs wrote. */
export function redactText(text: string): string {
  const addressed = text.includes('@') ? text.replaceAll(ADDRESS, '[e-mail]') : text
  return addressed
    .replaceAll(TOKEN, '[secret]')
    .replaceAll(CARD_NUMBER, (number) => (hasCheckDigit(number.replaceAll('-', '')) ? '[secret]' : number))
}
