// The columns of seals, for the page of the ledger and for the list of all seals.
import type { Seal } from '@cardstock/sdk'
import { CopyButton } from '~/ui/copy.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { EnvironmentBadge } from '~/pages/operator/environment-badge.tsx'

/** The part of a hash that is shown: enough to compare two by eye. The button copies the whole hash. */
const HASH_SHOWN = 16

export const SEAL_COLUMNS: readonly Column<Seal>[] = [
  { title: 'Company', role: 'name', show: ({ companyId, companyName }) => companyName ?? companyId },
  { title: 'Environment', show: ({ environment }) => <EnvironmentBadge value={environment} /> },
  {
    title: 'Last entry',
    role: 'amount',
    show: ({ number }) => <span className="tabular">{number.toLocaleString('en')}</span>,
  },
  {
    title: 'Hash',
    show: ({ hash }) => (
      <>
        <code>{hash.slice(0, HASH_SHOWN)}…</code> <CopyButton value={hash} label="Copy hash" />
      </>
    ),
  },
  { title: 'Sealed', show: ({ sealedAt }) => <Time value={sealedAt} /> },
]

export const keyOfSeal = ({ hash }: Seal) => hash
