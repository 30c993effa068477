// The reconciliation as operators see it.
import { Type } from 'typebox'
import { field, object } from '../lib/wire.ts'

const ReconciliationDifference = object(
  {
    companyId: field(Type.String(), 'The company.'),
    companyName: Type.Optional(
      field(Type.String(), 'The name of the company, as it is now. Left out when the company does not exist here.'),
    ),
    id: field(Type.String(), 'The operation, invoice or card change.'),
    kind: field(Type.String(), 'What kind of request it is.'),
    difference: field(Type.String(), 'What does not agree.'),
  },
  'ReconciliationDifference',
  'A request on which this server and the issuer do not agree.',
)

export const ReconciliationSchema = object(
  {
    companies: field(Type.Integer(), 'How many companies were compared.'),
    compared: field(Type.Integer(), 'How many requests were compared.'),
    differences: field(Type.Array(ReconciliationDifference), 'What does not agree. Empty when the two agree.'),
  },
  'Reconciliation',
  "A comparison of this server's records with those of the live issuer.",
)
