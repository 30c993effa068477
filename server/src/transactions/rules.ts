// What merchants sell, in a few groups that people know: the only table of merchant categories (ISO 18245). Pure.

/** The first group that has a code counts, so that single codes come before the ranges around them. */
const GROUPS = [
  ['cash', 'Cash', [[6010, 6011]]],
  ['fuel', 'Fuel and charging', [[5541, 5542], [5552], [5983]]],
  ['groceries', 'Groceries', [[5411], [5422], [5441], [5451], [5462], [5499], [5921]]],
  ['restaurants', 'Restaurants', [[5811, 5814]]],
  [
    'travel',
    'Travel',
    [[3000, 3999], [4411], [4511], [4582], [4722, 4723], [7011, 7012], [7032, 7033], [7512, 7513], [7519]],
  ],
  ['transport', 'Local transport', [[4111, 4112], [4121], [4131], [4784], [4789], [7523]]],
  ['software', 'Software and online services', [[4816], [5045], [5734], [5815, 5818], [7372], [7375], [7379]]],
  ['advertising', 'Advertising', [[7311]]],
  ['telecom', 'Phone and utilities', [[4812, 4815], [4821], [4899, 4900]]],
  ['office', 'Office supplies', [[5021], [5044], [5111], [5943]]],
  ['health', 'Health', [[4119], [5047], [5122], [5912], [5975, 5976], [8011, 8099]]],
  ['education', 'Education', [[8211, 8299], [8351]]],
  [
    'entertainment',
    'Entertainment',
    [
      [7829, 7841],
      [7911, 7999],
    ],
  ],
  [
    'services',
    'Business services',
    [[4214, 4215], [4225], [7276], [7321, 7361], [7392, 7399], [8111], [8911], [8931], [8999]],
  ],
  ['finance', 'Financial services', [[6012, 6540]]],
  ['government', 'Government and taxes', [[9211, 9405]]],
  [
    'shopping',
    'Shopping',
    [
      [5192, 5399],
      [5611, 5735],
      [5931, 5999],
    ],
  ],
] as const satisfies [string, string, ([number] | [number, number])[]][]

const OTHER = { id: 'other', name: 'Other' } as const
/** The issuer said nothing. */
const UNKNOWN = { id: 'unknown', name: 'Unknown' } as const

export const CATEGORY_IDS = [...GROUPS.map(([id]) => id), OTHER.id, UNKNOWN.id] as const

export interface Category {
  id: (typeof CATEGORY_IDS)[number]
  name: string
}

/** In a range of codes, what stands for a payment without one. */
const NO_CODE = -1
const CODES = 10_000

/** Returns the codes of a group, as a multirange of PostgreSQL in which -1 stands for a payment without a code. */
export function rangesOf(category: Category['id']): string {
  const codes = Array.from({ length: CODES }, (_, code) => String(code).padStart(4, '0'))
  const isIn = [null, ...codes].map((code) => categoryOf(code).id === category)
  // Position 0 is that of no code. A range begins where the one before is outside, and ends where the next is.
  const starts = isIn.flatMap((isInside, index) => (isInside && isIn[index - 1] !== true ? [index + NO_CODE] : []))
  const ends = isIn.flatMap((isInside, index) => (isInside && isIn[index + 1] !== true ? [index + NO_CODE + 1] : []))
  return `{${starts.map((start, index) => `[${start},${ends[index]})`).join()}}`
}

export function categoryOf(merchantCategory: string | null): Category {
  if (merchantCategory === null) return UNKNOWN
  const code = Number(merchantCategory)
  for (const [id, name, ranges] of GROUPS) {
    if (ranges.some(([first, last = first]: readonly [number, number?]) => first <= code && code <= last))
      return { id, name }
  }
  return OTHER
}
