// Who ordered something, with the name of that moment: written by the call that orders it, and shown as `createdBy`. It must not
// decide anything; the audit log and access/caller.ts know who may.
import { type Static, Type } from 'typebox'
import { formatId } from '../lib/ids.ts'
import { field, object } from '../lib/wire.ts'
import type { Caller } from './caller.ts'

export const CREATOR_KINDS = ['key', 'person', 'operator'] as const
type CreatorKind = (typeof CREATOR_KINDS)[number]

export const Creator = object(
  {
    kind: field(
      Type.Enum([...CREATOR_KINDS]),
      'What ordered it: an API key, a person in the console, or an operator of the programme.',
    ),
    id: field(Type.String(), 'The id of the key (`key_…`) or of the person (`per_…`).'),
    name: field(Type.String(), 'What the key or the person was called at that time.'),
  },
  'Creator',
  'Who ordered something.',
)

/** For the property `createdBy`. */
export const createdByField = Type.Optional(
  field(Creator, 'Who ordered it. What was ordered before version 1.0 has none.'),
)

/** Returns the creator as one text, as the tables store it: the kind, the id and the name, separated by spaces. */
export function creatorOf({ by }: Pick<Caller, 'by'>): string {
  return 'personId' in by ? `person ${by.personId} ${by.name}` : `key ${by.keyId} ${by.name}`
}

/** Returns `createdBy` of a stored creator, and nothing if there is none. */
export function showCreator(stored: string | null | undefined): { createdBy?: Static<typeof Creator> } {
  return stored === null || stored === undefined ? {} : { createdBy: parseCreator(stored) }
}

/** Returns a stored creator as the API shows it. */
export function parseCreator(stored: string): Static<typeof Creator> {
  const [kind = '', id = ''] = stored.split(' ', 2)
  const name = stored.slice(kind.length + id.length + 2)
  return { kind: kind as CreatorKind, id: formatId(kind === 'key' ? 'key' : 'per', id), name }
}
