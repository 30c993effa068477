// What a server refuses whose live issuer does not carry everything out.
import { INVOICES } from '../../../support/invoices.ts'
import { LiveWorld } from '../../../support/live.ts'
import { until } from '../../../support/wait.ts'
import type { Recorder } from '../recorder.ts'

const SERVICE = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' }

export async function refuseNotOffered(recorder: Recorder): Promise<void> {
  const world = await LiveWorld.start(undefined, {}, { kinds: ['issue', 'topup', 'card_status'] })
  try {
    const { key } = await world.createCompany()
    const order = () => world.server.post<{ code?: string }>('/api/v1/operations', key, SERVICE)
    const refused = await until('the server knows what its issuer can do', async () => {
      const answer = await order()
      return answer.body.code === 'service_not_available' && answer
    })
    recorder.refuse('service_not_available', refused)
    recorder.refuse('not_offered', await world.server.post(INVOICES, key, { amount: '100' }))
  } finally {
    await world.stop()
  }
}
