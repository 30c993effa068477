// Prints what the person who ran `cardstock serve` needs to know, on standard output.
import { credentialsPath } from '@cardstock/cli/credentials'
import type { Config } from '../../config/config.ts'
import type { Prepared } from '../../setup/credentials.ts'
import type { FirstLinks } from '../../setup/first-people.ts'

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Returns where the server listens and, on the first start, how to issue a first card. */
export function describeStart(
  config: Pick<Config, 'dataDir'>,
  { credentials, isFirstStart, demoHolderId }: Prepared,
): string {
  const { baseUrl, demo } = credentials
  const lines = [`Cardstock listens on ${baseUrl} (reference: ${baseUrl}/docs)`]
  if (isFirstStart) lines.push(`The operator token is in ${credentialsPath(config)}`)
  if (isFirstStart && demo !== undefined && demoHolderId !== undefined) {
    lines.push(
      `The demonstration company's sandbox key, shown once and kept in that file too: ${demo.sandboxKey}`,
      'Issue a first card, then list it:',
      `  ${firstCardCommand(baseUrl, demo.sandboxKey, demoHolderId)}`,
      `  curl -s ${baseUrl}/api/v1/cards -H 'Authorization: Bearer ${demo.sandboxKey}'`,
    )
  }
  return lines.join('\n')
}

/** Returns the links that open the console. `cardstock admin person reset` makes a new one for somebody who lost theirs. */
export function describeLinks({ operator, demoOwner }: FirstLinks): string {
  const lines = ['Open the console. Each link works once, within a day:']
  if (operator !== undefined) lines.push(`  as the operator: ${operator}`)
  if (demoOwner !== undefined) lines.push(`  as the owner of the demonstration company: ${demoOwner}`)
  return lines.join('\n')
}

function firstCardCommand(baseUrl: string, key: string, holderId: string): string {
  const body = JSON.stringify({ type: 'issue', productId: 'prod_card_virtual', holderId, amount: '25.00' })
  const headers = [`Authorization: Bearer ${key}`, 'Idempotency-Key: first-card', 'Content-Type: application/json']
  return `curl -s ${baseUrl}/api/v1/operations ${headers.map((header) => `-H '${header}'`).join(' ')} -d '${body}'`
}
