// Which mails a person wants, on the wire.
import { type Static, Type } from 'typebox'
import { field, nullable, object } from '../lib/wire.ts'
import type { NoticeKind } from './kinds.ts'

const FIELDS = { reviews: 'reviews', lowBalance: 'low_balance', endpoints: 'endpoints', keys: 'keys' } as const
type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Field[]

const ABOUT: Readonly<Record<Field, string>> = {
  reviews: 'Reviews that wait for a decision. For operators.',
  lowBalance: 'A balance below the threshold of the company. For owners and finance.',
  endpoints: 'Webhook endpoints that have failed for a day or were disabled. For owners and developers.',
  keys: 'API keys that expire within seven days, and within one day. For owners and developers.',
}

const choice = (name: Field) =>
  nullable(field(Type.Boolean(), `${ABOUT[name]} Null when no role of the person gets it.`))

export const Notifications = object(
  {
    sendsMail: field(Type.Boolean(), 'Whether the server has a mail server. Without one nothing is sent.'),
    reviews: choice('reviews'),
    lowBalance: choice('lowBalance'),
    endpoints: choice('endpoints'),
    keys: choice('keys'),
  },
  'Notifications',
  'What the person is told by e-mail. Invitations and links for a new password are always sent.',
)

const change = (name: Field) => Type.Optional(field(Type.Boolean(), ABOUT[name]))

export const NotificationsChange = object(
  {
    reviews: change('reviews'),
    lowBalance: change('lowBalance'),
    endpoints: change('endpoints'),
    keys: change('keys'),
  },
  'NotificationsChange',
  'What to turn on or off. What is left out stays as it is.',
)

export function toNotifications(
  sendsMail: boolean,
  possible: readonly NoticeKind[],
  off: readonly NoticeKind[],
): Static<typeof Notifications> {
  const show = (name: Field) => (possible.includes(FIELDS[name]) ? !off.includes(FIELDS[name]) : null)
  return {
    sendsMail,
    reviews: show('reviews'),
    lowBalance: show('lowBalance'),
    endpoints: show('endpoints'),
    keys: show('keys'),
  }
}

/** Returns the kinds that are to be this. */
export function kindsThatAre(isOn: boolean, wanted: Static<typeof NotificationsChange>): NoticeKind[] {
  return NAMES.filter((name) => wanted[name] === isOn).map((name) => FIELDS[name])
}
