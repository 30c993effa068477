// verifyWebhook against the shared vectors: what it accepts, and why it refuses the rest.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WEBHOOK_TOLERANCE_S, WebhookVerificationError } from '../src/index.ts'

interface Vectors {
  toleranceSeconds: number
  signed: { name: string; secrets: string[]; timestamp: number; body: string; serviceSignature: string }[]
  checks: { name: string; body: string; signature: string; secret: string; now: number; result: string }[]
}

const vectors = JSON.parse(
  readFileSync(new URL('../../vectors/webhook-signatures.json', import.meta.url), 'utf8'),
) as Vectors

describe('verifyWebhook', () => {
  test.each(vectors.checks)('$name: $result', async ({ body, signature, secret, now, result }) => {
    const outcome = await verifyWebhook({ body, signature, secret, now }).then(
      (event) => ({ result: 'verified', event }),
      (error: unknown) => ({
        result: error instanceof WebhookVerificationError ? error.code : error,
        event: undefined,
      }),
    )
    expect(outcome.result).toBe(result)
    if (result === 'verified') expect(outcome.event).toEqual(JSON.parse(body))
  })

  test.each(vectors.signed)(
    'takes bytes and any of several secrets: $name',
    async ({ body, serviceSignature, secrets, timestamp }) => {
      const event = await verifyWebhook({
        body: Buffer.from(body),
        signature: serviceSignature,
        secret: ['whsec_unknown', ...secrets],
        now: timestamp,
      })
      expect(event).toEqual(JSON.parse(body))
    },
  )

  test('looks at the present when no time is given', async () => {
    const { body, signature, secret } = vectors.checks[0] as Vectors['checks'][number]
    await expect(verifyWebhook({ body, signature, secret })).rejects.toMatchObject({
      code: 'timestamp_out_of_tolerance',
    })
  })

  test('an empty secret is a mistake of the program, not of the request', async () => {
    const { body, signature } = vectors.checks[0] as Vectors['checks'][number]
    for (const secret of ['', [], ['']])
      await expect(verifyWebhook({ body, signature, secret })).rejects.toThrow(TypeError)
  })

  test('has the tolerance of the contract', () => {
    expect(WEBHOOK_TOLERANCE_S).toBe(vectors.toleranceSeconds)
  })
})
