// Parses and formats the rules of a price, such as `flatFee=3.00 rate=0.002`.
import type { NewPricing, Pricing } from '@cardstock/sdk'
import { InvalidArgumentError, Option } from 'commander'

const RULES: readonly (keyof Pricing)[] = [
  'flatFee',
  'rate',
  'minimumFee',
  'minimumAmount',
  'maximumAmount',
  'fixedPrice',
]

export function pricingOption(flag: string, description: string): Option {
  return new Option(`${flag} <rule=value...>`, description).argParser(addRule)
}

/** Parses one rule. The server checks its value. */
function addRule(text: string, previous: NewPricing | undefined): NewPricing {
  const [name = '', value = '', ...rest] = text.split('=')
  const rule = RULES.find((known) => known === name)
  if (rule === undefined || value === '' || rest.length > 0) {
    throw new InvalidArgumentError(`Give rules as name=value; the names are ${RULES.join(', ')}.`)
  }
  return { ...previous, [rule]: value }
}

export function formatPricing(pricing: Pricing | null): string {
  if (pricing === null) return ''
  const rules = RULES.flatMap((rule) => (pricing[rule] === null ? [] : [`${rule}=${pricing[rule]}`]))
  return rules.length === 0 ? 'free' : rules.join(' ')
}
