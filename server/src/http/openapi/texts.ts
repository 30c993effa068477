// What the documents of this server say about themselves: the company's, the operator's and the console's.
import { API_VERSION, type DocumentText } from './document.ts'
import type { EventTexts } from './webhooks.ts'

const COMPANY_DESCRIPTION = `Issue and top up cards, order services, fund the card account by USDT invoice, and read balances, statements, cards, cardholders and transactions.

**Authentication.** Send an API key with every request: \`Authorization: Bearer cstk_sandbox_…\`. A key belongs to one company and one environment. Sandbox keys never reach live money. Never put a key into an app or a web page.

**Amounts** are decimal strings such as \`"25.00"\`, never floating-point numbers. **Times** are ISO 8601 in UTC.

**Idempotency.** Requests that create something take an \`Idempotency-Key\`. After a lost answer, send the same request with the same key: you get the first answer, and nothing is done twice.

**Errors** have one form: \`statusCode\`, \`message\` (for people), \`code\` (for programs), \`requestId\`, \`param\` (the field that is wrong), \`details\`, \`docUrl\`. \`x-error-codes\` of a call lists its codes; be ready for new ones.

**Rate limits** are announced in \`RateLimit\` and \`RateLimit-Policy\`. After a 429, wait for \`Retry-After\` seconds.`

const API_KEY = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key of the company: `cstk_sandbox_…` or `cstk_live_…`. The operator creates keys with `cardstock admin key create`.',
}
const OPERATOR_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The operator token: `cstk_operator_…`. The first start writes it to `credentials.json` in the data folder.',
}
const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: 'cardstock_session',
  description:
    'The session of a person who signed in with the console (docs/people.md). Over TLS the cookie is named `__Host-cardstock_session`. Writes also need the header `X-CSRF: 1` and must come from a page of this server; calls of a company need `Cardstock-Environment`, and `Cardstock-Company` from people of several companies.',
}

export function companyDocument(events: EventTexts): DocumentText {
  return {
    title: 'Cardstock',
    version: API_VERSION,
    description: COMPANY_DESCRIPTION,
    events,
    securitySchemes: { apiKey: API_KEY },
    tags: [
      { name: 'operations', description: 'Issue cards, top up cards and order services.' },
      { name: 'funding', description: 'Fund the card account by USDT invoice.' },
      { name: 'card account', description: 'The balance of the card account and its statements.' },
      { name: 'cards', description: 'Masked cards: read, freeze, unfreeze and close them.' },
      { name: 'holders', description: 'Cardholders: the people and companies that cards are issued to.' },
      { name: 'transactions', description: 'Payments made with the cards.' },
      { name: 'products', description: 'What can be ordered, and what it costs.' },
      { name: 'webhooks', description: 'Receive events instead of polling.' },
      { name: 'events', description: 'The events of at least the last 30 days and their deliveries.' },
      { name: 'request logs', description: 'The requests of the last seven days.' },
      { name: 'sandbox', description: 'Helpers that exist in the sandbox only.' },
    ],
  }
}

export const OPERATOR_DOCUMENT: DocumentText = {
  title: 'Cardstock for operators',
  version: API_VERSION,
  description:
    'What the operator of a card programme does: companies, keys, reviews, the catalogue and the books. Every change is written to the audit log. Send the operator token: `Authorization: Bearer cstk_operator_…`.',
  securitySchemes: { operatorToken: OPERATOR_TOKEN, session: SESSION },
  tags: [
    { name: 'companies', description: 'The companies of the programme, and what they may do.' },
    { name: 'keys', description: 'The API keys of companies.' },
    { name: 'holders', description: 'Cardholders, on behalf of a company.' },
    { name: 'products', description: 'The catalogue: what companies can order, and its prices from when on.' },
    { name: 'reviews', description: 'What waits for a person to decide.' },
    { name: 'ledger', description: 'Checking the books, here and against the live issuer.' },
    { name: 'operator tokens', description: 'The tokens of the people and programs that operate this server.' },
    {
      name: 'programme',
      description: 'The whole programme at a glance: what waits, its money, and how the issuers answer.',
    },
    { name: 'audit log', description: 'Who changed what, and when.' },
    { name: 'people', description: 'The people of the programme and of the companies.' },
    { name: 'system', description: 'Health, metrics and the documents.' },
  ],
}

export const CONSOLE_DOCUMENT: DocumentText = {
  title: 'Cardstock for the console',
  version: API_VERSION,
  description:
    "What people do with their account and their company: sign in, second factor, sessions, team and API keys. The web console makes these calls itself; programs use the API with a key instead. They need the cookie of a person's session, which `POST /console/v1/sign-in` sets, and API keys cannot make them. A change also needs the headers `X-CSRF: 1` and `Origin`, and a call under `/api/v1` needs `Cardstock-Environment`; [people](/docs/people) explains sessions. Every change is written to the audit log with the name of the person.",
  securitySchemes: { session: SESSION },
  tags: [
    { name: 'sign-in', description: 'Signing in and out, and one-time links.' },
    { name: 'account', description: 'The profile, the password and the sessions of whoever is signed in.' },
    { name: 'second factor', description: 'An authenticator app with recovery codes, and proving it again.' },
    { name: 'passkeys', description: 'Keys on the devices of a person, which sign them in without a password.' },
    { name: 'team', description: 'The people of a company.' },
    { name: 'keys', description: 'The API keys of a company.' },
  ],
}
