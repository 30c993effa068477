// Says what a provider's answer proves. The text of an answer does not leave this file, because it may have a card number in it.
import type { Transmitted } from '../../issuer/http/transmit.ts'
import { hasSecret, replaceEmails } from '../../lib/sensitive.ts'
import type { Refused } from '../provider.ts'
import { type Parse, parseJson } from './parse.ts'

/** How much of a provider's own message is shown. */
const MESSAGE_LENGTH_MAX = 300

export type Changed<Value> =
  | { readonly kind: 'changed'; readonly value: Value }
  | Refused
  | { readonly kind: 'not_sent' | 'unknown'; readonly reason: string }

export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** 404: the provider does not have it now. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly status?: number }

export interface JudgeOptions {
  /** For people, such as `Lithic`. */
  readonly provider: string
  /** The settings that a person checks if the provider does not accept the key. */
  readonly keySetting: string
  readonly urlSetting: string
  readonly parseMessage: Parse<string>
}

export interface Judge {
  /** `refusals` are the statuses with which the provider documents that it did not accept what was sent. */
  change<Value>(answer: Transmitted, refusals: readonly number[], parse: Parse<Value>): Changed<Value>
  read<Value>(answer: Transmitted, parse: Parse<Value>): Read<Value>
}

/**
 * What the answer to a change proves:
 * - 2xx with a body of this request: it was carried out. With any other body nobody knows.
 * - 401 and 403: the key was refused, and 429: the provider throttles. Both are decided before a request is looked at, so it had no effect.
 * - The statuses that are documented as refusals of the call: what was sent is not acceptable, and was not carried out.
 * - 409: another request with the same key may be under way. 5xx, other statuses and no answer: it may have been carried out.
 */
export function createJudge({ provider, keySetting, urlSetting, parseMessage }: JudgeOptions): Judge {
  /** The message may quote what was sent. Nothing is shown of one that may have the digits of a card in it. */
  const messageOf = (status: number, body: unknown) => {
    const message = parseMessage(body)
    if (message === undefined || message.trim() === '' || hasSecret(message)) return `${provider} answered ${status}`
    return `${provider} answered ${status}: ${replaceEmails(message, '[e-mail]').slice(0, MESSAGE_LENGTH_MAX)}`
  }
  const findHeldUp = (status: number) => {
    if (status === 401) return `${provider} does not accept the key (401): check ${keySetting} and ${urlSetting}`
    if (status === 403) {
      return `${provider} does not allow this to the key (403): check ${keySetting} and its permissions`
    }
    return status === 429 ? `${provider} throttles (429)` : undefined
  }
  return {
    change(answer, refusals, parse) {
      if (answer.kind !== 'answered') return answer
      const { status } = answer
      const body = parseJson(answer.body)
      if (isSuccess(status)) {
        const value = parse(body)
        return value === undefined
          ? { kind: 'unknown', reason: `${provider} answered ${status} with a body that does not fit the request` }
          : { kind: 'changed', value }
      }
      const held = findHeldUp(status)
      if (held !== undefined) return { kind: 'not_sent', reason: held }
      const message = messageOf(status, body)
      return refusals.includes(status)
        ? { kind: 'refused', code: `${provider.toLowerCase()}_${status}`, message }
        : { kind: 'unknown', reason: message }
    },
    read(answer, parse) {
      if (answer.kind !== 'answered') return { kind: 'unknown', reason: answer.reason }
      const { status } = answer
      const body = parseJson(answer.body)
      if (isSuccess(status)) {
        const value = parse(body)
        return value === undefined
          ? {
              kind: 'unknown',
              reason: `${provider} answered ${status} with a body that is not in the expected format`,
              status,
            }
          : { kind: 'read', value }
      }
      if (status === 404) return { kind: 'absent', reason: messageOf(status, body) }
      return { kind: 'unknown', reason: findHeldUp(status) ?? messageOf(status, body), status }
    },
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
