// The products of which a provider makes virtual cards. A product that is not named is refused, because only its operator knows whether
// it promises a card of another kind.
import type { Refused } from '../provider.ts'
import { refuse } from './outcomes.ts'

/** The card products of a new installation. */
export const VIRTUAL_PRODUCTS = 'prod_card_virtual,prod_card_advertising'

export const productList = (value: string): ReadonlySet<string> => {
  const names = value.split(',').map((part) => part.trim())
  if (names.every((name) => /^prod_[a-z0-9_]{1,60}$/.test(name))) return new Set(names)
  throw new TypeError(`must be a list of products such as ${VIRTUAL_PRODUCTS}`)
}

/** `settings` says where the operator names products. */
export function refuseProduct(productId: string, settings: string): Refused {
  return refuse(
    'product_not_offered',
    `The issuer does not know what kind of card ${productId} is, so none was made. Its operator adds the product to ${settings}.`,
  )
}
