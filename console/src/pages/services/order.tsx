// Orders a service. The price updates while the person types.
import { useId } from '~/lib/use-id.ts'
import { TextInput } from '@mantine/core'
import type { NewOperation, Product } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { useKeptText } from '~/api/use-kept-text.ts'
import { isAmount } from '~/lib/amount.ts'
import { AmountField } from '~/ui/amount-field.tsx'
import { describeLimits } from '~/features/order/fee-rule.ts'
import { OrderForm } from '~/features/order/order-form.tsx'
import { Sentinels } from '~/features/order/sentinels.tsx'
import { paths } from '~/paths.ts'
import { TextField } from '~/ui/fields.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { PageHeading } from '~/ui/page.tsx'

const PARENT = { href: paths.services(), title: 'Services' }
const RECIPIENT_LENGTH_MAX = 255

export default function OrderService() {
  const id = useId()
  const query = useData('products', ['list'], (client, options) => client.products.list(options))
  return (
    <Loaded query={query}>
      {({ data }) => {
        const service = data.find((product) => product.id === id && product.kind === 'service')
        return service === undefined ? <NoSuchService /> : <Order service={service} />
      }}
    </Loaded>
  )
}

function NoSuchService() {
  return (
    <>
      <PageHeading title="Order service" parent={PARENT} />
      <Notice tone="amber">
        <p>This service can no longer be ordered. Go back to Services and choose another one.</p>
      </Notice>
    </>
  )
}

function Order({ service }: { service: Product }) {
  const form = `order ${service.id}`
  const { fixedPrice } = service.pricing
  const [typed, setAmount] = useKeptText(`${form} amount`)
  const [recipient, setRecipient] = useKeptText(`${form} recipient`)
  const amount = fixedPrice ?? typed
  const to = recipient.trim()
  const draft: NewOperation | undefined =
    isAmount(amount) && to !== '' ? { type: 'service', amount, productId: service.id, recipient: to } : undefined
  return (
    <>
      <PageHeading title={`Order ${service.name}`} parent={PARENT}>
        {service.description}
      </PageHeading>
      <OrderForm
        form={form}
        verb="Order"
        draft={draft}
        pricing={service.pricing}
        clear={() => {
          setAmount('')
          setRecipient('')
        }}
      >
        {fixedPrice === null ? (
          <AmountField value={typed} onChange={setAmount} limits={describeLimits(service.pricing)} />
        ) : (
          <TextInput
            label="Price"
            description="This service has a fixed price."
            value={`${formatMoney(fixedPrice)} USD`}
            readOnly
          />
        )}
        <TextField
          param="recipient"
          label="Recipient"
          description="The e-mail address, phone number or account that receives the service."
          required
          maxLength={RECIPIENT_LENGTH_MAX}
          autoComplete="off"
          value={recipient}
          onChange={(event) => setRecipient(event.currentTarget.value)}
        />
        <Sentinels by="word" field="recipient" value={recipient} onChange={setRecipient} />
      </OrderForm>
    </>
  )
}
