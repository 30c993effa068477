// Companies in plain words.
import type { Company } from '@cardstock/sdk'

export const KIND_WORDS: Readonly<Record<Company['kind'], string>> = {
  individual: 'Individual',
  corporate: 'Corporate',
}

export function describeCapabilities({ capabilities }: Company): string {
  const { liveServices, directInvoices } = capabilities
  if (liveServices && directInvoices) return 'Cards, services and funding'
  if (liveServices) return 'Cards and services'
  return directInvoices ? 'Funding' : '–'
}
