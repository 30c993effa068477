// Events on the wire.
import { Type } from 'typebox'
import { EVENT_TYPES } from './catalogue.ts'
import { EnvironmentSchema, field, INSTANT_NOTE, instantQuery, object, pageQuery, Timestamp } from '../lib/wire.ts'

export const Event = object(
  {
    id: field(Type.String(), 'The id of the event, `evt_…`. It is the same on every delivery.'),
    type: field(Type.Enum([...EVENT_TYPES]), 'What happened.'),
    createdAt: field(Timestamp, 'When it happened.'),
    environment: EnvironmentSchema,
    companyId: field(Type.String(), 'The company.'),
    version: field(Type.String(), 'The version of the API that `data` follows.'),
    sequence: field(
      Type.Integer(),
      'Grows by one with each event of the same object, so that you can recognise an event that arrives late.',
    ),
    data: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'The object as it was at that moment.',
    }),
  },
  'Event',
  'Something that happened to an object of the company.',
)

export const EventQuery = object({
  ...pageQuery,
  type: Type.Optional(field(Type.Enum([...EVENT_TYPES]), 'Only events of this type.')),
  from: Type.Optional(field(instantQuery, `Only events from this time on. ${INSTANT_NOTE}`)),
  to: Type.Optional(field(instantQuery, `Only events until this time. ${INSTANT_NOTE}`)),
})
