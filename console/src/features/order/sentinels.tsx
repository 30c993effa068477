// In the sandbox: the outcomes that can be chosen for the issuer's answer.
import { NativeSelect } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'

/** The exact name or recipient, and the exact amount, that decide the outcome. */
const OUTCOMES = [
  { label: 'Completes within a second', word: '', amount: '' },
  { label: 'Declined by the issuer', word: 'fail', amount: '10.66' },
  { label: 'Unknown outcome, goes to review', word: 'unknown', amount: '10.77' },
  { label: 'Completes after ten seconds', word: 'slow', amount: '10.88' },
] as const

interface Props {
  /** What chooses the outcome. */
  readonly by: 'word' | 'amount'
  /** The field of this form that it is written into. */
  readonly field: string
  readonly value: string
  onChange(value: string): void
}

export function Sentinels({ by, field, value, onChange }: Props) {
  const { environment } = useWorkplace()
  if (environment !== 'sandbox') return null
  const chosen = OUTCOMES.find((outcome) => outcome[by] !== '' && outcome[by] === value)?.[by] ?? ''
  return (
    <NativeSelect
      label="Sandbox outcome"
      description={`Fills in the ${field} that causes it.`}
      data={OUTCOMES.map((outcome) => ({ value: outcome[by], label: outcome.label }))}
      value={chosen}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
