// How many decimals the amounts of merchants have. This is ISO 4217, and not what Intl says: that is how people write a currency, which has no decimals for the
// Hungarian forint or the Indonesian rupiah, and differs from one version of Node to the next.

const DECIMALS_USUAL = 2
/** Every currency of ISO 4217 that has another number of decimals. */
const CODES: readonly (readonly [number, string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]
const DECIMALS: ReadonlyMap<string, number> = new Map(
  CODES.flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, decimals] as const)),
)

export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? DECIMALS_USUAL
}

/** Converts the smallest unit of a currency with this many decimals to hundredths. What is less than a hundredth is rounded towards zero. */
export function hundredthsOf(value: bigint, decimals: number): bigint {
  return decimals <= 2 ? value * 10n ** BigInt(2 - decimals) : value / 10n ** BigInt(decimals - 2)
}
