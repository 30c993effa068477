// The limits of e-mails. docs/limits.md has them too.

/** Attempts are made for this long: an outage of a mail server rarely lasts longer, and most links expire after a day. */
export const GIVE_UP_MS = 86_400_000
/** Mails with a link to one address in a day, by all companies and operators together. Nobody needs more, and it is no flood. */
export const LINKS_PER_ADDRESS = 5
/** Mails with a link that one company causes in a day: a department is invited, and strangers are not flooded. */
export const LINKS_PER_COMPANY = 50
/** Notices that one person gets in an hour. Further ones wait. */
export const NOTICES_PER_PERSON = 10
/** Notices that the people of one company get in a day: 25 people ten each, and a small part of the queue. Further ones wait. */
export const NOTICES_PER_COMPANY = 250
/** Mails that wait at most, so that an outage of the mail server cannot fill the database. */
export const QUEUE_MAX = 10_000
/** What one notice lists; it says how many there are in all. */
export const ITEMS_MAX = 20
/** From the connection to the answer to the last command. Mail servers that check a mail while it arrives take seconds. */
export const ATTEMPT_MS_MAX = 30_000
