// The operator's catalogue in the examples: a product is created, priced, renamed and retired.
import type { Journey, Made } from './journey.ts'

export async function manageCatalogue({ recorder, operator: token, company }: Journey): Promise<void> {
  const product = await recorder.call<Made>('service', 'POST /admin/v1/products', {
    token,
    body: {
      id: 'prod_service_lounge',
      kind: 'service',
      name: 'Airport lounge',
      description: 'One visit to an airport lounge.',
      pricing: { flatFee: '1.50', rate: '0.01', minimumAmount: '20.00' },
    },
    expect: 201,
  })
  const path = `/admin/v1/products/${product.id}`
  await recorder.call('rename', `PATCH ${path}`, { token, body: { name: 'Airport lounge visit' }, expect: 200 })
  await recorder.call('from a date', `POST ${path}/prices`, {
    token,
    body: {
      operationType: 'service',
      pricing: { flatFee: '1.00', minimumAmount: '20.00' },
      validFrom: '2026-04-01T00:00:00Z',
      companyId: company,
    },
    expect: 201,
  })
  await recorder.call('prices', `GET ${path}/prices?limit=1`, { token, expect: 200 })
  await recorder.call('retire', `POST ${path}/retire`, { token, expect: 200 })
  await recorder.call('catalogue', 'GET /admin/v1/products', { token, expect: 200 })
}
