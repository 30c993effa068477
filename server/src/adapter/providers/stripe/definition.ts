// The settings of the Stripe provider. Incomplete ones are refused, and the message says what to set.
import { ConfigError } from '../../../config/config.ts'
import { secret, setting } from '../../../config/setting.ts'
import { webUrl } from '../../../config/setting-values.ts'
import { defineProvider } from '../../provider-kit/definition.ts'
import { productList, VIRTUAL_PRODUCTS } from '../../provider-kit/products.ts'
import { createStripe } from './stripe.ts'

/** Whether cards are real is read from the key, so another form is refused. */
const stripeKey = (value: string) => {
  if (!/^(sk|rk)_(test|live)_\w{8,}$/.test(value)) {
    throw new TypeError('must be a secret or restricted key of Stripe: sk_test_…, rk_test_…, sk_live_… or rk_live_…')
  }
  return value
}

export const definition = defineProvider({
  settings: {
    STRIPE_SECRET_KEY: secret('Secret or restricted key of your Stripe account, for the adapter only', stripeKey),
    STRIPE_URL: setting(webUrl, 'https://api.stripe.com', "Address of Stripe's API, or of `cardstock simulate stripe`"),
    STRIPE_PRODUCTS: setting(
      productList,
      VIRTUAL_PRODUCTS,
      'Our products of which cards are made at Stripe. All of them are virtual',
    ),
  },
  create({ STRIPE_SECRET_KEY: secretKey, STRIPE_URL: url, STRIPE_PRODUCTS: virtualProducts }, clock) {
    if (secretKey === undefined) throw new ConfigError('Set STRIPE_SECRET_KEY, a key of your Stripe account.')
    return createStripe({ secretKey, url, virtualProducts, clock })
  },
})
