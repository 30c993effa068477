// Cardholders on the wire.
import { type Static, Type } from 'typebox'
import { object, pageQuery } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import type { HolderRow } from './queries.ts'

export const HOLDER_KINDS = ['individual', 'corporate'] as const
export const HOLDER_STATUSES = ['pending', 'active', 'blocked', 'inactive'] as const

const name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'a name of 1 to 255 characters' })
const email = Type.String({ format: 'email', maxLength: 320, description: 'an e-mail address' })
const externalId = Type.String({ minLength: 1, maxLength: 255, description: 'your own id, 1 to 255 characters' })

export const Holder = object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    kind: Type.Enum([...HOLDER_KINDS]),
    status: Type.Enum([...HOLDER_STATUSES]),
    externalId: Type.Optional(Type.String()),
  },
  'Holder',
)

export const NewHolder = object({
  name,
  email,
  kind: Type.Enum([...HOLDER_KINDS]),
  externalId: Type.Optional(externalId),
})
export type NewHolder = Static<typeof NewHolder>

export const HolderQuery = object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...HOLDER_STATUSES])),
  kind: Type.Optional(Type.Enum([...HOLDER_KINDS])),
  externalId: Type.Optional(externalId),
  email: Type.Optional(Type.String({ maxLength: 320 })),
})
export type HolderQuery = Static<typeof HolderQuery>

export function toHolder(row: HolderRow): Static<typeof Holder> {
  return {
    id: formatId('hld', row.id),
    name: row.name,
    email: row.email,
    kind: row.kind,
    status: row.status,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
  }
}
