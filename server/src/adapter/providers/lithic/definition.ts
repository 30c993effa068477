// The settings of the Lithic provider. Incomplete ones are refused, and the message says what to set.
import { ConfigError } from '../../../config/config.ts'
import { optional, secret, setting } from '../../../config/setting.ts'
import { oneOf, plainText, visibleSecret, webUrl } from '../../../config/setting-values.ts'
import { defineProvider } from '../../provider-kit/definition.ts'
import { productList, VIRTUAL_PRODUCTS } from '../../provider-kit/products.ts'
import { createLithic } from './lithic.ts'

const uuid = (value: string) => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) throw new TypeError('must be a UUID in small letters')
  return value
}

/** Returns our products with their designs. */
const productPairs = (value: string): ReadonlyMap<string, string> => {
  const pairs = value.split(',').map((part) => part.trim().split('='))
  const isName = (name: string | undefined): name is string => name !== undefined && /^\S{1,100}$/.test(name)
  return new Map(
    pairs.map(([ours, theirs, ...more]) => {
      if (isName(ours) && isName(theirs) && more.length === 0) return [ours, theirs]
      throw new TypeError('must be a list such as plastic=12,metal=13')
    }),
  )
}

export const definition = defineProvider({
  settings: {
    LITHIC_API_KEY: secret('Key of your Lithic account, for the adapter only', visibleSecret),
    LITHIC_URL: setting(
      webUrl,
      'https://sandbox.lithic.com',
      "Address of Lithic's API: the sandbox, https://api.lithic.com for real cards, or `cardstock simulate lithic`",
    ),
    LITHIC_MODE: setting(
      oneOf('balance', 'limit'),
      'balance',
      'What the money of a new card at Lithic is: a balance of its own, or a limit on what may be spent',
    ),
    LITHIC_FUNDING_ACCOUNT: optional(
      'Token of the financial account at Lithic that pays for cards with a balance; required with LITHIC_MODE=balance',
      uuid,
    ),
    LITHIC_TRANSFER_SUBTYPE: setting(
      plainText,
      'CUSTOM',
      'Code of our book transfers, which Lithic agrees on with each programme',
    ),
    LITHIC_CARD_PROGRAM: optional('Token of the card programme at Lithic, if there is more than one', uuid),
    LITHIC_VIRTUAL_PRODUCTS: setting(productList, VIRTUAL_PRODUCTS, 'Our products that are virtual cards'),
    LITHIC_PHYSICAL_PRODUCTS: optional(
      'Our products that are physical cards, each with the card design at Lithic (product_id): plastic=12,metal=13',
      productPairs,
    ),
  },
  create(values, clock) {
    const { LITHIC_API_KEY: apiKey, LITHIC_MODE: mode, LITHIC_FUNDING_ACCOUNT: fundingAccount } = values
    if (apiKey === undefined) throw new ConfigError('Set LITHIC_API_KEY, the key of your Lithic account.')
    if (mode === 'balance' && fundingAccount === undefined) {
      throw new ConfigError(
        'Set LITHIC_FUNDING_ACCOUNT, the financial account that pays for cards, or LITHIC_MODE=limit for cards without a balance of their own.',
      )
    }
    return createLithic({
      apiKey,
      url: values.LITHIC_URL,
      mode,
      fundingAccount,
      transferSubtype: values.LITHIC_TRANSFER_SUBTYPE,
      cardProgram: values.LITHIC_CARD_PROGRAM,
      virtualProducts: values.LITHIC_VIRTUAL_PRODUCTS,
      physicalProducts: values.LITHIC_PHYSICAL_PRODUCTS ?? new Map(),
      clock,
    })
  },
})
