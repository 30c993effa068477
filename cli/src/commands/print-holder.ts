// Prints a cardholder, for the commands of companies and of operators.
import type { Holder } from '@cardstock/sdk'
import { formatFields, type Output } from '../output.ts'

/** What a command says before it erases a cardholder. */
export const eraseWarning = (id: string) =>
  `This erases the personal data of ${id} in cards, operations, events and logs, and cannot be undone.`

export function printHolder(output: Output, holder: Holder): void {
  output.result(holder, () =>
    formatFields({
      id: holder.id,
      name: holder.name,
      email: holder.email,
      kind: holder.kind,
      status: holder.status,
      'external id': holder.externalId,
      ...(holder.erasure === undefined ? {} : { erasure: holder.erasure }),
    }),
  )
}
