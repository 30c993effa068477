// What an operation is called, and its state in one plain sentence.
import type { Creator, Operation, OperationType } from '@cardstock/sdk'
import { formatMoney } from '~/ui/money.tsx'

export const OPERATION_TITLES: Readonly<Record<OperationType, string>> = {
  issue: 'Issue card',
  topup: 'Top up card',
  service: 'Order service',
}

/** Returns what it is, such as “Virtual card for Ada Lovelace ·· 5112”: the words of the statement. */
export function titleOf({ title, type }: Operation): string {
  return title ?? OPERATION_TITLES[type]
}

const CHANNELS: Readonly<Record<Creator['kind'], string>> = {
  key: 'API key',
  person: 'console',
  operator: 'operator',
}

/** `Ada Lovelace (console)`, `Production (API key)`. */
export function describeCreator({ kind, name }: Creator): string {
  return `${name} (${CHANNELS[kind]})`
}

/** Whether it can still change without a person. */
export function isMoving(operation: Operation | undefined): boolean {
  return operation === undefined || operation.status === 'queued' || operation.status === 'processing'
}

export function describeOperation(operation: Operation): string {
  const total = `${formatMoney(operation.total)} USD`
  switch (operation.status) {
    case 'queued':
      return `Accepted. ${total} is held while the operation waits in the queue.`
    case 'processing':
      return `The issuer is processing it. ${total} remains held until the issuer answers.`
    case 'completed':
      return `Completed. ${total} was charged.`
    case 'failed':
      return `Not carried out. ${total} is available again. ${operation.failure?.message ?? ''}`
    case 'manual_review':
      return `The issuer has not confirmed whether this happened. ${total} remains held until that is known. You do not need to do anything; do not send it again.`
  }
}
